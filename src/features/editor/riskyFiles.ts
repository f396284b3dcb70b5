import { foldedNames, mayBeShortName } from '../../base/pathNames.ts';

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/,\s+/u));
}

/** Folders whose files tools run. Hidden folders always count. */
const RISKY_FOLDERS = wordSet(`
  node_modules, site-packages, buildsrc, build-logic, githooks, git-hooks
`);

/** Files without an extension that nothing runs. All others count as risky. */
const HARMLESS_NAMES = wordSet(`
  acknowledgements, acknowledgments, authors, changelog, changes, citation, contributing, contributors, copying,
  copyright, credits, history, license, licence, maintainers, news, notice, patents, readme, security,
  thanks, todo, unlicense, version
`);

/** Files that tools run, or that tell tools what to run. */
const RISKY_NAMES = wordSet(`
  action.yaml, action.yml, analysis_options.yaml, angular.json, ansible.cfg, app.json, appveyor.yml, bb.edn,
  bitrise.yml, brunch-config.js, build.cake, build.gradle, build.js, build.cjs, build.mjs, build.mill,
  build.properties, build.rs, build.sbt, build.sc, build.ts, build.xml, build.yaml, build.zig, build.zig.zon,
  buildspec.yaml, buildspec.yml, bun.lock, bun.lockb, bunfig.toml, cabal.project, cargo.lock, cargo.toml,
  cloudbuild.yaml, cloudbuild.yml, cmakelists.txt, cmakepresets.json, cmakeuserpresets.json, codefresh.yml,
  codemagic.yaml, composer.json, composer.lock, conanfile.py, conanfile.txt, conf.py, configure.ac, configure.in,
  conftest.py, deno.json, deno.jsonc, deno.lock, deps.edn, devcontainer.json, devfile.yaml, devfile.yml, dodo.py,
  ember-cli-build.js, environment.yaml, environment.yml, esbuild.cjs, esbuild.js, esbuild.mjs, esbuild.ts, fabfile.py,
  firebase.json, fly.toml, global.json, go.mod, go.sum, go.work, gradle-wrapper.properties, gradle.properties,
  hatch.toml, ivy.xml, jsconfig.json, jsr.json, lerna.json, magefile.go, makefile.am, makefile.in, manage.py,
  manifest.toml, maven-wrapper.properties, meson.build, meson.options, meson_options.txt, mise.toml, mix.exs,
  mix.lock, mkdocs.yaml, mkdocs.yml, module.bazel, netlify.toml, nodemon.json, now.json, npm-shrinkwrap.json, nox.py,
  noxfile.py, nuget.config, nx.json, package-lock.json, package.json, package.swift, package.yaml, packages.config,
  paket.dependencies, pdm.toml, phpunit.xml, phpunit.xml.dist, phpstan.neon, pipfile.lock, pixi.lock, pixi.toml,
  pnpm-lock.yaml, pnpm-workspace.yaml, poetry.lock, pom.xml, premake5.lua, project.clj, project.json, project.swift,
  project.toml, pulumi.yaml, pubspec.lock, pubspec.yaml, pyproject.toml, pytest.ini, pyvenv.cfg, rebar.config,
  rebar.config.script, render.yaml, renovate.json, rush.json, rust-toolchain.toml, serverless.yaml, serverless.yml,
  settings.gradle, setup.cfg, setup.hs, setup.py, shadow-cljs.edn, sitecustomize.py, skaffold.yaml, stack.yaml,
  tasks.py, tools.go, tox.ini, tslint.json, turbo.json, usercustomize.py, uv.lock, uv.toml, vcpkg.json, vercel.json,
  wallaby.js, wercker.yml, workspace.bazel, wrangler.json, wrangler.jsonc, wrangler.toml, xmake.lua, yarn.lock
`);

/** Documents that agents follow. */
const AGENT_NAMES = wordSet(`
  agent.md, agents.md, agents.local.md, agents.override.md, amp.md, claude.md, claude.local.md, codex.md,
  conventions.md, copilot.md, copilot-instructions.md, crush.md, devin.md, gemini.md, jules.md, memory.md, prompt.md,
  qwen.md, replit.md, rules.md, skill.md, soul.md, warp.md, mcp.json, mcp.jsonc, opencode.json, opencode.jsonc,
  crush.json, gemini-extension.json
`);

/** Extensions of files that tools run or build with, or that agents follow. */
const RISKY_EXTENSIONS = wordSet(`
  agent.md, agent.mdc, chatmode.md, instructions.md, mdc, prompt, prompt.md, prompty, skill, toolsets.jsonc, bash,
  bat, cmd, command, csh, desktop, fish, hta, ksh, lnk, ps1, psd1, psm1, reg, scr, sh, url, vbs, wsf, zsh, bazel, bzl,
  cabal, cmake, code-profile, code-workspace, csproj, dockerfile, fsproj, gemspec, gradle, gradle.kts, gyp, gypi, iml,
  ipr, mak, mk, ninja, nix, nuspec, pbxproj, podspec, proj, projitems, props, pth, rake, rockspec, sbt, shproj, sln,
  slnx, sublime-project, targets, vbproj, vcxproj, xcconfig, xcscheme
`);

/** The user's own files of VS Code, whose folder is hidden only on Linux. */
const USER_FILE =
  /(?:^|\/)user\/(?:profiles\/[^/]+\/)?(?:keybindings|launch|settings|tasks)\.json$/u;
/** The start of a script. Excludes an inner attribute of Rust, `#![…]`. */
const SHEBANG = /^#![ \t]*[^\s[]/u;

/** Patterns for further names of files that tools run. */
const RISKY_PATTERNS: readonly RegExp[] = [
  /\.(?:conf|config|preset|setup|workspace|teardown)\.[cm]?[jt]sx?$/u,
  /\.config\.(?:json|jsonc|toml|yaml|yml)$/u,
  /^(?:webpack|rollup|vite|vitest|rspack)\b.*\.[cm]?[jt]s$/u,
  /^(?:bake|brew|cake|container|danger|docker|earth|fast|gem|gnumake|grunt|gulp|jake|jenkins|just)file\./u,
  /^(?:make|pip|pnpm|pod|proc|rake|snake|steep|task|tilt|vagrant)file\./u,
  /^(?:(?:global|jest|test|tests|vitest)[-_.]?setup|setup[-_.]?(?:jest|tests?|vitest))\b.*\.[cm]?[jt]sx?$/u,
  /^(?:ts|js)config\b.*\.json$/u,
  /^(?:docker-)?compose\b.*\.ya?ml$/u,
  /^(?:azure|bitbucket|concourse|tekton)?-?pipelines?\b.*\.ya?ml$/u,
  /^(?:lefthook|lefthook-local|moon)\.(?:json|jsonc|toml|ya?ml)$/u,
  /^(?:requirements|constraints)\b.*\.(?:in|txt)$/u,
  /^(?:directory\.)?(?:build|packages|solution)\.(?:props|targets|rsp)$/u,
  /^(?:cargo|mise)\b.*\.toml$/u,
];

/**
 * Returns whether a tool may run a file by itself, or an agent may follow it. Must be called before text of a reply is
 * written into a file. Hidden files, files in hidden folders, and most files without an extension count as risky.
 * Ordinary source code does not, so that the warning keeps its meaning.
 *
 * @param path relative to the workspace, with `/`
 * @param text the file's text, of which the first line can mark a script
 */
export function isRisky(path: string, text = ''): boolean {
  if (SHEBANG.test(text)) return true;
  const names = foldedNames(path);
  if (names.some((name) => name.startsWith('.') || RISKY_FOLDERS.has(name) || mayBeShortName(name)))
    return true;
  const name = names.at(-1) ?? '';
  if (!name.includes('.')) return !HARMLESS_NAMES.has(name);
  return (
    USER_FILE.test(names.join('/')) ||
    RISKY_NAMES.has(name) ||
    AGENT_NAMES.has(name) ||
    extensionsOf(name).some((extension) => RISKY_EXTENSIONS.has(extension)) ||
    RISKY_PATTERNS.some((pattern) => pattern.test(name))
  );
}

/** Returns the last extension of a name and the last two: `md` and `prompt.md` of `a.prompt.md`. */
function extensionsOf(name: string): readonly string[] {
  const parts = name.split('.').slice(1);
  return [-1, -2].map((count) => parts.slice(count).join('.'));
}
