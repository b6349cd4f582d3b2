import { type DemoMember, Desk } from './day/desk.ts';

/** Accounts of the demo. The password is easy to type, because it opens only the service on this machine. */
const PEOPLE = [
  { name: 'Erika Muster', email: 'inhaberin@loewen.example', role: 'owner' },
  { name: 'Kemal Öztürk', email: 'apotheker@loewen.example', role: 'pharmacist' },
  { name: 'Lena Schmidt', email: 'team@loewen.example', role: 'staff' },
];
const PASSWORD = 'loewen-am-markt';

type Invite = (person: { email: string; role: string }) => Promise<{ invitation_url: string }>;

/** Invites three people and accepts the invitations as a browser would. */
export async function makeMembers(invite: Invite): Promise<DemoMember[]> {
  const members: DemoMember[] = [];
  for (const { name, email, role } of PEOPLE) {
    const { origin, pathname } = new URL((await invite({ email, role })).invitation_url);
    await new Desk(origin).send(pathname, pathname, { name, password: PASSWORD });
    members.push({ email, password: PASSWORD, role });
  }
  return members;
}
