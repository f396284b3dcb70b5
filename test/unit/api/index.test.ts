import assert from 'node:assert/strict';
import * as api from '../../../src/api/index.ts';

describe('api index', () => {
  // Rule 21.6
  it("exports the interface's limits", () => {
    assert.deepEqual(
      [
        api.MAX_BODY_BYTES,
        api.MAX_PROMPT_CHARACTERS,
        api.MAX_SESSION_ID_CHARACTERS,
        api.MAX_TOOL_CALL_ID_CHARACTERS,
        api.MAX_DESCRIPTION_CHARACTERS,
        api.MAX_INSTRUCTIONS_CHARACTERS,
        api.MAX_SECRET_VALUE_CHARACTERS,
        api.MAX_SECRET_NAME_CHARACTERS,
        api.MAX_HOST_CHARACTERS,
        api.KEEPALIVE_INTERVAL_MS,
      ],
      [1_048_576, 32_000, 256, 128, 2_000, 100_000, 65_536, 255, 254, 30_000],
    );
    assert.deepEqual(api.INTERN_NAME_CHARACTERS, { min: 2, max: 17 });
    assert.deepEqual(api.HOSTS_PER_SECRET, { min: 1, max: 100 });
    assert.deepEqual(
      [...api.PERMISSION_OPTIONS],
      ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
    );
  });
});
