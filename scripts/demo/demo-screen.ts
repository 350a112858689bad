import type { Server } from '@linewarden/server/compose'
import { createScreenLinks } from '../../apps/server/src/areas/screen/links/link-service.ts'
import type { Person } from './past-records.ts'

/** Makes a link of the first project and prints where a wall opens it. There is one already: its key is shown once, by whoever makes it. */
export async function addScreenLink(server: Server, { accountId }: Person, print: (line: string) => void): Promise<void> {
  const { database, plant, url } = server
  const actor = await server.accounts.actorOf(accountId, '', '')
  const nothing = () => {}
  const links = createScreenLinks({ database, plant, clock: Date.now, ended: nothing, changed: nothing })
  const [project] = [...plant.projects.values()].toSorted((one, other) => one.id - other.id)
  if (!project || !actor || (await links.list(actor, {})).total > 0) return
  const { Key } = await links.add(actor, {
    ...{
      Name: '演示大屏',
      Scope: { CityID: null, HouseIDs: [project.id] },
      Pages: [],
      DwellS: 20,
      Language: 'CN',
      Theme: 'dark',
    },
    ...{ NamesOfPeople: false, MostSeats: 3, HardUntil: null },
  })
  print(`  A wall opens:         ${url}/bigScreen#k=${Key}   (shown this once)`)
}
