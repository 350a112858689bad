import { pino } from 'pino'
import { expect } from 'vitest'
import { LinkageEngine } from '../../apps/server/src/areas/automation/linkage-engine.ts'
import { Hub } from '../../apps/server/src/plant/hub.ts'
import { clockOf } from '../../apps/server/src/store/jobs/due-work.ts'
import type { LinkageHouse } from './linkage-house.ts'

export type LinkageServer = ReturnType<ReturnType<typeof linkageServers>['serve']>

const refuseAll = `
  create or replace function refused() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
  create trigger refused before insert or update on linkage_state execute function refused()`
const refuseNone = 'drop trigger refused on linkage_state'

/** Servers that evaluate the linkages of one database, each by what is reported to it. */
export function linkageServers(house: LinkageHouse) {
  const { database, plant, ingest } = house.stack.server
  let servers: LinkageEngine[] = []
  async function stored(statement: string): Promise<void> {
    const client = await database.connect()
    await client.query(statement).finally(() => client.end())
  }
  return {
    serve,
    async close(): Promise<void> {
      for (const engine of servers) await engine.close()
      servers = []
    },
    /** It ends without storing anything more. */
    async crash({ engine }: Pick<LinkageServer, 'engine'>): Promise<void> {
      await stored(refuseAll)
      await engine.close()
      await stored(refuseNone)
    },
  }

  /** `slowMs`: so far its clock is behind that of the equipment. */
  function serve(slowMs = 0) {
    const clock = () => house.now() - slowMs
    const hub = new Hub((error) => expect(error).toBeNull())
    const runner = { holder: { server: crypto.randomUUID(), clock: clockOf(clock) } }
    const deps = { database, plant, ingest, hub, runner, clock, dueClock: clockOf(clock), log: pino({ level: 'silent' }) }
    const carried: string[] = []
    const engine = new LinkageEngine(deps as unknown as ConstructorParameters<typeof LinkageEngine>[0], (_, run) => {
      carried.push(...run.operations.map(({ action }) => action))
    })
    servers.push(engine)
    return {
      engine,
      /** What it was given to carry out. */
      carried,
      async reads(ControllerID: string, LineNo: number): Promise<void> {
        const line = plant.lineAt(ControllerID, LineNo)
        if (!line) throw new Error('no line')
        hub.publish({ lines: [line] })
        await engine.settled()
      },
    }
  }
}
