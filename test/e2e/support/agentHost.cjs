/**
 * Runs before the entry of the installed extension: an agent without a model. Calls the tool that an HTTP request
 * names, and responds with its result. Closing the request cancels the call.
 */
{
  const { writeFileSync } = require('node:fs');
  const { createServer } = require('node:http');
  const vscode = require('vscode');

  const call = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { name, input } = JSON.parse(body);
    const cancellation = new vscode.CancellationTokenSource();
    response.on('close', () => cancellation.cancel());
    const options = { input, toolInvocationToken: undefined };
    try {
      const { content } = await vscode.lm.invokeTool(name, options, cancellation.token);
      response.end(JSON.stringify({ text: content.map(({ value }) => value).join('') }));
    } catch (error) {
      response.end(JSON.stringify({ error: error.message }));
    }
  };
  const server = createServer((request, response) => void call(request, response));
  server.listen(0, '127.0.0.1', () =>
    writeFileSync(process.env.INTERNS_AGENT_FILE, String(server.address().port)),
  );
}
