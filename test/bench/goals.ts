import { rounded } from './figures.ts';
import type { Compared } from './rounds.ts';
import { type EachRoute, ROUTE_NAMES, ROUTES } from './routes.ts';

const CPU_RATIO_MAX = 1.3;

export interface Judged {
  name: string;
  measured: number;
  bound: { atMost: number } | { atLeast: number };
  isMet: boolean;
}

/**
 * Each goal with what was reached: the service against the floor, the middle of the rounds. What the service does beyond what it
 * asks of the platform may cost a tenth of the requests a second, more where it signs (token) or makes a page (inbox). A figure
 * that could not be measured misses its goal.
 */
export function judge(routes: EachRoute<Compared>): Judged[] {
  return ROUTE_NAMES.flatMap((name) => {
    const { requests_per_second_ratio: speed, cpu_ratio: cpu } = routes[name];
    const atLeast = ROUTES[name].ratioAtLeast;
    return [
      {
        name: `${name}: requests/s, service to floor`,
        measured: rounded(speed.median),
        bound: { atLeast },
        isMet: speed.median >= atLeast,
      },
      {
        name: `${name}: CPU of a request, service to floor`,
        measured: rounded(cpu.median),
        bound: { atMost: CPU_RATIO_MAX },
        isMet: cpu.median <= CPU_RATIO_MAX,
      },
    ];
  });
}
