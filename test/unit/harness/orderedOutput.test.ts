import assert from 'node:assert/strict';
import { OrderedOutput } from '../../harness/orderedOutput.ts';

describe('the output of parts that run at the same time', () => {
  let printed: string;
  let output: OrderedOutput;

  beforeEach(() => {
    printed = '';
    output = new OrderedOutput((text) => (printed += text));
  });

  it('streams the first part, so a run that hangs shows where', () => {
    output.add().write('first');
    assert.equal(printed, 'first');
  });

  it('keeps a later part until its turn, and loses none of it', () => {
    const [first, second, third] = [output.add(), output.add(), output.add()];
    third.write('e');
    third.end();
    second.write('c');
    first.write('a');
    assert.equal(printed, 'a');
    first.write('b');
    first.end();
    assert.equal(printed, 'abc');
    second.write('d');
    second.end();
    assert.equal(printed, 'abcde');
  });
});
