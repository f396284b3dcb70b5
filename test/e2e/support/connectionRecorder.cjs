/**
 * Runs before a bundle of the installed extension (mainStory.ts). Appends the target of each connection of its process to
 * a file, one a line: `host`, `keeper` or another name of the bundle, and the address. Counts all code in the process, so
 * nothing that the extension loads escapes it.
 */
{
  const { appendFileSync } = require('node:fs');
  const { basename } = require('node:path');
  const note = (target) =>
    appendFileSync('CONNECTIONS_FILE', `${basename(__filename)} ${target}\n`);
  const { Socket } = require('node:net');
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...args) {
    // Node passes its own normalized arguments as one array.
    const [first, second] = Array.isArray(args[0]) ? args[0] : args;
    const { host, port, path } = typeof first === 'object' ? first : { port: first, host: second };
    note(path ?? `${host ?? 'localhost'}:${port}`);
    return connect.apply(this, args);
  };
  const { Socket: DatagramSocket } = require('node:dgram');
  for (const name of ['connect', 'send']) {
    const original = DatagramSocket.prototype[name];
    DatagramSocket.prototype[name] = function (...args) {
      note(`udp ${args.filter((each) => typeof each !== 'object').join(':')}`);
      return original.apply(this, args);
    };
  }
  note('started');
}
