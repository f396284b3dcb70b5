import assert from 'node:assert/strict';
import { isRisky } from '../../../../src/features/editor/riskyFiles.ts';
import { assertInProportion } from '../../support/proportion.ts';

/** Paths by why they are risky. */
const risky: Readonly<Record<string, readonly string[]>> = {
  'a hidden file or a file in a hidden folder': pathsIn(`
    .envrc .npmrc .yarnrc.yml .eslintrc .eslintrc.cjs .gitlab-ci.yml .bashrc .gitea/workflows/a.yml
    .buildkite/pipeline.yml .zed/tasks.json .cargo/config.toml .windsurf/rules/a.md .cursor/rules/a.mdc
    .github/copilot-instructions.md packages/a/.vscode/tasks.json .git/config .git/hooks/pre-commit
    .storybook/main.ts .mvn/jvm.config .yarn/releases/yarn.cjs .husky/_/husky.sh .gitattributes
  `),
  'what a build tool, a package manager or a build server reads': pathsIn(`
    package.json packages/a/package.json package-lock.json pnpm-lock.yaml tsconfig.json tsconfig.base.json
    Makefile src/GNUmakefile rules.mk CMakeLists.txt cmake/x.cmake build.gradle build.gradle.kts settings.gradle
    gradlew gradlew.bat buildSrc/src/A.kt pom.xml build.sbt Rakefile tasks/a.rake Gemfile a.gemspec gulpfile.js
    gulpfile.babel.js Gruntfile.coffee build.rs Cargo.toml pyproject.toml setup.cfg requirements-dev.txt
    Dockerfile Dockerfile.dev compose.yaml docker-compose.ci.yml azure-pipelines.yml bitbucket-pipelines.yml
    Jenkinsfile appveyor.yml lefthook.yml mise.toml mise.local.toml Taskfile.yml justfile App.csproj
    Directory.Build.props App.sln flake.nix mix.exs deno.json go.mod BUILD BUILD.bazel defs.bzl
  `),
  'a configuration that is code, or the start of a test run': pathsIn(`
    eslint.config.mjs eslint.config.mts vite.config.ts web/next.config.js jest.config.cts karma.conf.js
    vitest.workspace.ts jest.setup.js src/setupTests.ts webpack.prod.js conftest.py tests/conftest.py noxfile.py
    setup.py sitecustomize.py docs/conf.py node_modules/a/index.js lib/site-packages/a.pth app.code-workspace
    a.iml
  `),
  'a script, or a file without an ending': pathsIn(`
    scripts/build.sh a.ps1 a.cmd a.bat bin/tool HEAD testdata/config configure
  `),
  'what an agent follows': pathsIn(`
    AGENTS.md docs/AGENTS.md CLAUDE.md CLAUDE.local.md GEMINI.md skills/a/SKILL.md a.prompt.md a.instructions.md
    a.chatmode.md rules/a.mdc copilot-instructions.md mcp.json src/mcp.json
  `),
  'a file of the user’s own VS Code': pathsIn(`
    /Users/ada/Library/Code/User/settings.json /C:/Users/ada/AppData/Roaming/Code/User/keybindings.json
    C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\tasks.json /User/profiles/-1a2b/settings.json
  `),
  'a look-alike that a file system may take for a risky name': [
    ...pathsIn(`
      .vſcode/tasks.json .VSCODE/tasks.json .vscode./tasks.json \u200c.vscode/tasks.json .v\u200cscode/tasks.json
      ma\u00adkefile VSCODE~1/tasks.json PACKAG~1.JSO AGENTS~1.MD pacKage.json package.json... package.json::$DATA
      ．env CLAUDE.MD a\\.vscode\\tasks.json
    `),
    '.vscode /tasks.json',
    'AGENT\ufeffS.md',
    'eslint.config.mjs. ',
  ],
};

const ordinary = pathsIn(`
  src/app.ts src/main.rs main.go lib/index.js app/models/user.rb src/App.tsx docs/guide.md README.md README
  LICENSE CHANGELOG.md docs/agents/overview.md styles/main.css index.html assets/logo.svg data/a.json
  data/table.csv notes.txt src/profile.ts src/file.ts src/config.ts src/vscode/tasks.json src/user/user.json test/app.test.ts
  src/makefile_parser.py src/setup.ts i18n/de.yml schema.sql src/git/head.ts a~b.ts
`);

/** Returns the paths of a text. Blanks separate them. */
function pathsIn(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}

describe('isRisky', () => {
  for (const [why, paths] of Object.entries(risky))
    it(`isRisky marks ${why}`, () => {
      const missed = paths.filter((path) => !isRisky(path));
      assert.deepEqual(missed, []);
    });

  it('isRisky leaves ordinary source code, documents and data unmarked', () => {
    const marked = ordinary.filter((path) => isRisky(path));
    assert.deepEqual(marked, []);
  });

  it('isRisky marks a script by its first line', () => {
    assert.ok(isRisky('tools/run.py', '#!/usr/bin/env python3\n'));
    assert.ok(isRisky('tools/run.py', '#! python3\n'));
    assert.ok(!isRisky('src/lib.rs', '#![no_std]\n'));
    assert.ok(!isRisky('docs/guide.md', 'Begin with:\n#!/bin/sh\n'));
  });

  it('isRisky takes linear time for paths up to a megabyte', () => {
    for (const unit of ['. ', 'a.', '~1', 'a/', '.config.', 'webpack.', ':'])
      assertInProportion(
        [60_000, 250_000, 1_000_000],
        (length) => `${unit.repeat(length / unit.length)}x`,
        isRisky,
      );
  });
});
