import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Packages {
  /** By artifact, its coordinates. */
  maven?: Record<string, string>;
  go?: string[];
  python?: string[];
  npm?: string[];
}

const RUNTIMES = { maven: ['mvn', 'java'], go: ['go'], python: ['python3'], npm: ['npm'] };

/** Programs of others, which their package managers install into a folder that is kept between runs. */
export function toolsIn(name: string, packages: Packages) {
  const folder = join(tmpdir(), `offizin-tools-${name}`);
  const wanted = JSON.stringify(packages);
  const run = async (program: string, ...args: string[]) => {
    const env = { ...process.env, GOBIN: join(folder, 'go'), GOFLAGS: '-mod=mod' };
    await promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
  };
  return {
    /** @throws if a language or its package manager is not on this machine, or a package is not to be had */
    async install(): Promise<void> {
      const languages = (Object.keys(packages) as (keyof Packages)[]).flatMap((each) => RUNTIMES[each]);
      mkdirSync(folder, { recursive: true });
      for (const program of languages) {
        const version = program === 'go' ? 'version' : '--version';
        await run(program, version).catch(() => {
          throw new Error(`This proof needs ${program}, which is not on this machine (docs/testing.md).`);
        });
      }
      const kept = join(folder, 'installed.json');
      if (existsSync(kept) && readFileSync(kept, 'utf8') === wanted) return;
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      const { maven = {}, go = [], python = [], npm = [] } = packages;
      for (const artifact of Object.values(maven)) {
        const get = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get';
        await run('mvn', '-q', '-B', get, `-Dartifact=${artifact}`, '-Dtransitive=false');
      }
      for (const program of go) await run('go', 'install', program);
      if (python.length > 0) {
        await run('python3', '-m', 'venv', 'python');
        await run(join(folder, 'python/bin/pip'), 'install', '-q', ...python);
      }
      if (npm.length > 0) {
        writeFileSync(join(folder, 'package.json'), '{"private":true}');
        await run('npm', 'install', '--silent', '--no-audit', '--no-fund', ...npm);
      }
      writeFileSync(kept, wanted);
    },
    maven(artifact: string): string {
      const [group = '', id = '', version = ''] = packages.maven?.[artifact]?.split(':') ?? [];
      return join(homedir(), '.m2/repository', group.replaceAll('.', '/'), id, version, `${id}-${version}.jar`);
    },
    go: (program: string) => join(folder, 'go', program),
    python: (program: string) => join(folder, 'python/bin', program),
    npm: (path: string) => join(folder, 'node_modules', path),
  };
}
