import { openServed, useClosing, type ServedWindow } from '../harness/window.ts';
import { tellMainStory } from './support/mainStory.ts';

describe('the main story in an untrusted folder of the oldest VS Code', () => {
  const closing = useClosing();
  let opened: ServedWindow;

  before(async () => {
    opened = closing.use(
      await openServed({ release: 'oldest', trust: false, service: { provisioningMs: 300 } }),
    );
  });

  tellMainStory(() => opened, 'story-oldest');
});
