import type { Client, Session } from '@linewarden/client'
import { createClient } from '@linewarden/client'
import type { Reply, Request } from '@linewarden/contract'
import { addScreen, openScreen } from '@linewarden/contract'
import { byContract } from './by-contract.ts'

type Asked = Request<typeof addScreen>['body']

/** A link as its form sends it. */
export const linkOf = (HouseIDs: number[], more: Partial<Asked> = {}): Asked => ({
  ...{ Name: '总配电室大屏', Scope: { CityID: null, HouseIDs }, Pages: [], DwellS: 20, Language: 'CN', Theme: 'dark' },
  ...{ NamesOfPeople: false, MostSeats: 1, HardUntil: null },
  ...more,
})

/** A wall that a link opened: a caller that signs as its seat. */
export interface Wall {
  readonly client: Client
  readonly session: Session
  readonly opened: Reply<typeof openScreen>
}

/** A browser that nobody has signed in on. */
export const nobody = (url: string, now: () => number = Date.now): Client =>
  byContract(createClient({ baseUrl: url, session: () => null, now }))

export async function openWall(url: string, by: Request<typeof openScreen>['body'], now: () => number = Date.now): Promise<Wall> {
  const opened = await nobody(url, now).call(openScreen, { body: by })
  const session = { userId: opened.UserID, token: opened.Token }
  return { client: byContract(createClient({ baseUrl: url, session: () => session, now })), session, opened }
}

/** A new link of these projects, and its key. */
export const newLink = (client: Client, HouseIDs: number[], more: Partial<Asked> = {}) =>
  client.call(addScreen, { body: linkOf(HouseIDs, more) })
