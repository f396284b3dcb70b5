/** How the harness speaks to the runner inside the extension host: by its environment. */

/** The port on 127.0.0.1 that takes what mocha prints there. */
export const outputPortVariable = 'INTERNS_TEST_OUTPUT_PORT';

/** Only tests whose full titles match this run. */
export const grepVariable = 'INTERNS_TEST_GREP';
