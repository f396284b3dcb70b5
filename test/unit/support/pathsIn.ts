import { join } from 'node:path';
import type { AccountPaths } from '../../../src/platform/storage/layout.ts';

/** Returns the paths of an account whose own folder is `root`. */
export function pathsIn(root: string): AccountPaths {
  const conversations = join(root, 'conversations');
  return {
    root,
    interns: join(root, 'interns'),
    secrets: join(root, 'secrets'),
    creations: join(root, 'creations'),
    conversations,
    heads: join(conversations, 'heads'),
    responses: join(root, 'responses'),
    allowed: join(root, 'allowed'),
    drafts: join(root, 'drafts'),
  };
}
