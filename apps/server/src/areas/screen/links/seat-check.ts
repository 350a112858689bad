import { seatOver, seatSessionMs } from '@linewarden/rules/screen'
import type { Actor } from '../../../access/actor.ts'
import type { SessionCheck } from '../../../access/session-check.ts'
import type { RightsChange } from '../../../plant/hub.ts'
import type { Plant } from '../../../plant/plant.ts'
import { takeNonce } from '../../../store/account/session.ts'
import type { Database } from '../../../store/core/database.ts'
import type { LinkRow } from '../../../store/screen/link.ts'
import { seatById } from '../../../store/screen/seat.ts'
import type { Seal } from '../../account/secrets.ts'
import { projectsShown, showsProject } from './link-scope.ts'
import { lifeOf } from './seat-life.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly seal: Seal
  readonly clock: () => number
}

/** The number of a seat's session: none of an account is below zero. */
const sessionOf = (seatNo: string): string => `-${seatNo}`

/** Who signed as a seat, and what a wall may see. It answers like accounts do, on the connections of lists: no trip waits for a wall. */
export function createSeatCheck({ database, plant, seal, clock }: Deps) {
  const onSessionEnd = new Set<(sessionId: string) => void>()
  const onRightsChange = new Set<(change: RightsChange) => void>()

  /** A seat with a session that is alive. */
  async function alive(seatId: string) {
    const found = await seatById(database.general, seatId)
    if (!found || clock() - found.seat.token_at.getTime() >= seatSessionMs) return null
    return seatOver(lifeOf.link(found.link), lifeOf.seat(found.seat), clock()) === null ? found : null
  }

  const check: SessionCheck = {
    async candidates(seatId) {
      const found = await alive(seatId)
      const token = found && seal.open(found.seat.token)
      if (!found || token === null) return []
      const { seat } = found
      const times = { createdAt: seat.token_at.getTime(), lastUsedAt: seat.last_beat.getTime() }
      const session = { sessionId: sessionOf(seat.seat_no), accountId: seatId, address: seat.address, ...times }
      return [{ ...session, token, rememberId: null, provedAt: null, key: null }]
    },
    // Its link is no account: what is refused to it is counted by its address.
    named: async () => null,
    takeNonce: (sessionId, timeStamp, nonce) => takeNonce(database.general, sessionId, timeStamp, nonce),
    takeOpenNonce: (timeStamp, nonce) => takeNonce(database.general, '0', timeStamp, nonce),
    async actorOf(seatId, sessionId, address) {
      const found = await alive(seatId)
      return found && actorFor(found.link, { seatId, sessionId, address })
    },
    async stillIn({ accountId, sessionId, address }) {
      const found = await alive(accountId)
      return found && actorFor(found.link, { seatId: accountId, sessionId, address })
    },
    // A beat says that it is used, and nothing else does.
    touch: async () => {},
    onSessionEnd: (listener) => void onSessionEnd.add(listener),
    onRightsChange: (listener) => void onRightsChange.add(listener),
  }

  function actorFor(
    link: LinkRow,
    { seatId, sessionId, address }: { seatId: string; sessionId: string; address: string },
  ): Actor {
    // As the plant is when somebody asks: what went to another owner a moment ago is not seen any more.
    const sees = (projectId: number) => showsProject(plant, link, projectId)
    return {
      ...{
        accountId: seatId,
        sessionId,
        address,
        provedAt: null,
        userName: `screen:${link.name}`,
        nickName: link.name,
        key: null,
      },
      ...{ kind: 'screen', screen: true, tenant: link.owner_id, platform: false, administrator: false },
      ...{ privileges: [], buttons: [], shared: !link.shown.NamesOfPeople, hasControlPassword: false },
      ...{ mustEnrol: false, mustChangePassword: false },
      ...{ sees, seesPart: sees, seesGateway: ({ project }) => sees(project.id) },
      scope: {
        ...{ all: false, tenant: link.owner_id, administrator: false, accountId: null, gatewayIds: [] },
        projectIds: projectsShown(plant, link),
      },
    }
  }

  return {
    check,
    /** The sessions of these seats are over: their sockets close. */
    ended(seatNos: readonly string[]): void {
      for (const no of seatNos) for (const listener of onSessionEnd) listener(sessionOf(no))
    },
    changed(seatIds: readonly string[]): void {
      if (seatIds.length > 0) for (const listener of onRightsChange) listener({ accounts: seatIds })
    },
  }
}
