import { openServed, useClosing, type ServedWindow } from '../harness/window.ts';
import { tellMainStory } from './support/mainStory.ts';

describe('the main story, in the installed VSIX', () => {
  const closing = useClosing();
  let opened: ServedWindow;

  before(async () => {
    opened = closing.use(await openServed({ service: { provisioningMs: 300 } }));
  });

  tellMainStory(() => opened, 'story');
});
