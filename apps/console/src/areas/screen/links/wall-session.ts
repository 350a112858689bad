import { CallError } from '@linewarden/client'
import type { Reply, Request } from '@linewarden/contract'
import { openScreen } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { create } from 'zustand'
import { api } from '../../../app/net/api.ts'
import { rise, sit, useSession } from '../../../app/session/session.ts'
import { whenSeatOver } from '../../../app/session/session-over.ts'
import { language } from '../../../ui/i18n.ts'
import { serverNow } from '../../../ui/use-now.ts'
import type { KeptSeat } from './kept-seat.ts'
import { forgetSeat, keepSeat, readSeat } from './kept-seat.ts'
import { wallUser } from './wall-user.ts'

/** How a browser stands to its link. `none`: it has none, and shows what a person's session shows. */
type WallSession =
  | { readonly kind: 'none' }
  /** `away`: the server does not answer. */
  | { readonly kind: 'opening'; readonly away: boolean }
  /** `times`: how often it came back; what listens live begins anew then. */
  | { readonly kind: 'open'; readonly times: number }
  | { readonly kind: 'refused'; readonly text: Text | null; readonly waits: boolean }

export const useWallSession = create<WallSession>(() => ({ kind: 'none' }))

type Way = Request<typeof openScreen>['body']

const awayMs = 3_000
/** A link that is in use elsewhere may be free soon. */
const inUseMs = 60_000
const answerMs = 15_000
/** So long before its session is over a wall shows its secret again: nothing on it stops. */
const aheadMs = 30 * 60_000
const maxTimerMs = 2_147_483_647

let next: ReturnType<typeof setTimeout> | undefined
let opens: Promise<void> | null = null
/** The session ended, and the live connection with it: it is made anew. One that is only renewed in time goes on. */
let hasEnded = false

/** Begins with what the address had, with what this browser keeps, or not at all. */
export function beginWall(key: string | null): void {
  const kept = readSeat()
  if (key !== null) void open({ Key: key, ...(kept && { Seat: kept.secret }) })
  else if (useSession.getState().token !== '' && !useSession.getState().seated) return
  else if (kept && kept.expiresAt > serverNow() + aheadMs) seat(kept)
  else if (kept) void open({ Seat: kept.secret })
}

/** By the claim of a code that somebody approved. Throws CallError. */
export async function openByClaim(Claim: string): Promise<void> {
  take(await ask({ Claim }), null)
}

/** Somebody stands before it and pairs it anew. */
export const leaveRefusal = (): void => useWallSession.setState({ kind: 'none' }, true)

/** What is kept is given up, here and on the page. */
function giveUp(text: Text | null): void {
  forgetSeat()
  clearTimeout(next)
  // Whoever fetched for the seat forgets what they have: the session is another now.
  rise()
  useWallSession.setState({ kind: 'refused', text, waits: false }, true)
}

/** Another tab may have come back already. */
whenSeatOver(() => {
  hasEnded = true
  const kept = readSeat()
  if (kept && kept.token !== useSession.getState().token && kept.expiresAt > serverNow()) seat(kept)
  else void open(kept ? { Seat: kept.secret } : {})
})

/** One at a time: each answer replaces the one before it. */
function open(way: Way): Promise<void> {
  opens ??= tryToOpen(way).finally(() => {
    opens = null
  })
  return opens
}

async function tryToOpen(way: Way): Promise<void> {
  clearTimeout(next)
  const isUp = useWallSession.getState().kind === 'open'
  if (!isUp) useWallSession.setState({ kind: 'opening', away: false }, true)
  if (Object.keys(way).length === 0) return giveUp(null)
  try {
    take(await ask(way), way.Seat ?? null)
  } catch (error) {
    const failed = error instanceof CallError ? error : null
    const isRefused = failed?.refused === true
    if (isRefused && failed.message === 'screen in use') {
      useWallSession.setState({ kind: 'refused', text: textOf(failed), waits: true }, true)
      again(way, inUseMs)
    } else if (isRefused && failed.message.startsWith('screen ')) giveUp(textOf(failed))
    else {
      if (!isUp) useWallSession.setState({ kind: 'opening', away: true }, true)
      again(way, isRefused ? inUseMs : awayMs)
    }
  }
}

function again(way: Way, afterMs: number): void {
  next = setTimeout(() => void open(way), afterMs * (0.75 + Math.random() / 2))
}

const ask = (way: Way) =>
  api.call(openScreen, { body: { ...way, Browser: navigator.userAgent.slice(0, 300) } }, { timeoutMs: answerMs })

/** The secret is kept before anything else: a power cut a moment later finds it. */
function take({ UserID, Token, ExpiresAt, Seat }: Reply<typeof openScreen>, shown: string | null): void {
  const secret = Seat ?? shown ?? ''
  const kept = { secret, userId: UserID, token: Token, expiresAt: ExpiresAt }
  keepSeat(kept)
  seat(kept)
}

function seat(kept: KeptSeat): void {
  const { userId, token, expiresAt, secret } = kept
  const before = useWallSession.getState()
  sit(userId, token, wallUser(userId, language()))
  useWallSession.setState({ kind: 'open', times: before.kind === 'open' ? before.times + Number(hasEnded) : 0 }, true)
  hasEnded = false
  clearTimeout(next)
  next = setTimeout(
    () => void open({ Seat: readSeat()?.secret ?? secret }),
    Math.min(maxTimerMs, Math.max(awayMs, expiresAt - serverNow() - aheadMs)),
  )
}

const textOf = ({ problem }: CallError): Text | null => (problem.kind === 'refusal' ? (problem.failure.Text ?? null) : null)
