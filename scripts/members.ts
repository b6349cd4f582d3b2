import { StartError } from './errors.ts';
import { request } from './http.ts';

export interface DemoMember {
  email: string;
  password: string;
  role: string;
}

/** Accounts of the demo, with a password that is easy to type: it opens only the service on this machine. */
const PEOPLE = [
  { name: 'Erika Muster', email: 'inhaberin@loewen.example', role: 'owner' },
  { name: 'Kemal Öztürk', email: 'apotheker@loewen.example', role: 'pharmacist' },
  { name: 'Lena Schmidt', email: 'team@loewen.example', role: 'staff' },
];
const PASSWORD = 'loewen-am-markt';

type Invite = (person: { email: string; role: string }) => Promise<{ invitation_url: string }>;

/** Invites three people, who accept as a browser would. */
export async function makeMembers(invite: Invite): Promise<DemoMember[]> {
  const members: DemoMember[] = [];
  for (const { name, email, role } of PEOPLE) {
    const { invitation_url } = await invite({ email, role });
    await accept(invitation_url, { name, password: PASSWORD });
    members.push({ email, password: PASSWORD, role });
  }
  return members;
}

/** Opens the invitation's link and sends its form with the page's cookie and token. */
async function accept(url: string, fields: { name: string; password: string }): Promise<void> {
  const page = await request(url);
  const cookie = page.headers.getSetCookie().map((line) => line.split(';')[0]);
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const answer = await request(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie.join('; ') },
    body: new URLSearchParams({ form_token: token, ...fields }),
  });
  await answer.body?.cancel();
  if (answer.status !== 303) throw new StartError(`The demo: an invitation was answered with ${answer.status}.`);
}
