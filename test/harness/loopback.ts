import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

const attempts = 20;

const withoutIPv6: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Listens on one port of both addresses that `localhost` stands for: 127.0.0.1 and, if the machine has IPv6, ::1.
 * If one were left free, another user could listen there and receive what a browser sends to `localhost`.
 *
 * @param newServer makes the server of each address
 * @param port 0 selects a free one
 * @throws Error if the port is in use on either address
 */
export async function listenOnLoopback<T extends Server>(
  newServer: () => T,
  port: number,
): Promise<{ readonly port: number; readonly servers: readonly T[] }> {
  for (let attempt = 1; ; attempt++) {
    const servers: T[] = [];
    try {
      const first = await listen(newServer(), port, '127.0.0.1');
      servers.push(first);
      const { port: selected } = first.address() as AddressInfo;
      const second = await listen(newServer(), selected, '::1').catch(ignoreMissingIPv6);
      if (second !== undefined) servers.push(second);
      return { port: selected, servers };
    } catch (error) {
      for (const server of servers) server.close();
      if (codeOf(error) !== 'EADDRINUSE') throw error;
      if (port !== 0) {
        throw new Error(`Port ${port} is in use. Select another one.`, { cause: error });
      }
      if (attempt === attempts) throw error;
    }
  }
}

async function listen<T extends Server>(server: T, port: number, host: string): Promise<T> {
  await once(server.listen(port, host), 'listening');
  return server;
}

function ignoreMissingIPv6(error: unknown): undefined {
  if (!withoutIPv6.includes(codeOf(error))) throw error;
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
