// `npm run demo`: fills the organization of `npm start` with the data of a day. `npm start` must be running.
import { readDemo } from './demo.ts';
import { runCommand, StartError } from './errors.ts';
import { fill } from './fill.ts';

await runCommand(async () => {
  const demo = readDemo();
  if (!demo) throw new StartError('There is no demo yet: npm start makes it.');
  await fill(demo);
  console.log(`${demo.base_url}/manage now shows a day's order requests and orders.`);
});
