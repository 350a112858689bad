import { CallError } from '@linewarden/client'
import { specifiedMessages } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { create } from 'zustand'
import { onReached } from '../net/connectivity.ts'
import type { Entry, Outcome } from './entry.ts'
import { delayMs, dueNow, nextBatch, nextDue, settled } from './entry.ts'
import type { KeptPhoto } from './kept.ts'
import { changeKept, hashIn, readAgain, useKept } from './kept.ts'
import type { Act } from './outbox-acts.ts'
import { withActs, withActsInstead, withAgain } from './outbox-acts.ts'

/** Carries entries of one kind to the server. What it does not name waits on. */
export interface Sender {
  /** So many at once. */
  readonly most: number
  readonly send: (entries: readonly Entry[]) => Promise<readonly Outcome[]>
}

/** `away`: the server was not reached with what was tried last. */
export const useOutbox = create<{ readonly sending: boolean; readonly away: boolean }>(() => ({ sending: false, away: false }))

const sendLock = 'linewarden.sending'
/** Only what a server has named goes; it then stays so long, so that a person sees what became of it. */
const shownForMs = 86_400_000

let senders: ReadonlyMap<string, Sender> = new Map()
let timer: ReturnType<typeof setTimeout> | undefined
let triesInVain = 0
let isRunning = false
let isWanted = false
/** What is due next has nobody to carry it: asking again would find the same. */
let isStuck = false

/**
 * Stores acts on this device, and sends them when the server is reached. Resolves when they lie on the disk. `insteadOf`: of what the server
 * did not take, which they take the place of; once that is gone, they are not done a second time.
 */
export async function keep(
  acts: readonly Act[],
  photos: readonly KeptPhoto[] = [],
  insteadOf: string | null = null,
): Promise<void> {
  await changeKept((entries) => (insteadOf === null ? withActs : withActsInstead(insteadOf))(entries, acts, Date.now()), {
    photos,
  })
  sendSoon()
}

/** The person has what the server did not take sent once more. */
export async function tryAgain(id: string): Promise<void> {
  await changeKept((entries) => withAgain(entries, id))
  sendSoon()
}

/** The person gives up what the server did not take. */
export async function giveUp(id: string): Promise<void> {
  const entry = useKept.getState().entries.find((each) => each.id === id)
  await changeKept((entries) => entries.filter((each) => each.id !== id || each.state !== 'refused'), {
    gone: entry?.kind === 'photo' ? hashIn(entry.body) : [],
  })
}

/** The person has seen that the server holds it beside something else. */
export const noted = (id: string): Promise<unknown> =>
  changeKept((entries) =>
    entries.map((each) => (each.id === id && each.state === 'conflict' ? { ...each, state: 'held' } : each)),
  )

/** Begins to send for as long as the page is there; answers how to end it. */
export function startOutbox(all: ReadonlyMap<string, Sender>): () => void {
  senders = all
  const wake = () => void sendNow()
  const seen = () => document.visibilityState === 'visible' && wake()
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', seen)
  const offReached = onReached(wake)
  sendSoon()
  return () => {
    removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', seen)
    offReached()
    clearTimeout(timer)
    senders = new Map()
  }
}

/** Everything that waits is tried at once. */
export async function sendNow(): Promise<void> {
  if (useKept.getState().state !== 'open' || senders.size === 0) return
  triesInVain = 0
  if (useKept.getState().entries.some(({ notBefore, state }) => state === 'waiting' && notBefore > Date.now()))
    await changeKept(dueNow)
  sendSoon()
}

function sendSoon(): void {
  if (senders.size === 0 || useKept.getState().state !== 'open') return
  if (isRunning) {
    isWanted = true
    return
  }
  isRunning = true
  clearTimeout(timer)
  void run()
}

async function run(): Promise<void> {
  try {
    do {
      isWanted = false
      // One tab alone sends; whatever another has sent meanwhile is read first.
      await navigator.locks.request(sendLock, sendAllDue)
    } while (isWanted && triesInVain === 0)
  } catch (error) {
    // Ours to hear of; what is kept is tried again.
    reportError(error)
    triesInVain += 1
  }
  isRunning = false
  useOutbox.setState({ sending: false })
  plan()
}

async function sendAllDue(): Promise<void> {
  const { account } = useKept.getState()
  for (;;) {
    const { account: now, state } = useKept.getState()
    if (now !== account || state !== 'open') return
    const batch = nextBatch(await readAgain(), Date.now(), (kind) => senders.get(kind)?.most ?? 1)
    const [head] = batch
    const sender = head && senders.get(head.kind)
    isStuck = head !== undefined && !sender
    if (!head || !sender) return
    useOutbox.setState({ sending: true })
    const outcomes = await outcomesOf(sender, batch)
    if (useKept.getState().account !== account) return
    if (outcomes === 'away') {
      triesInVain += 1
      useOutbox.setState({ away: true })
      return
    }
    triesInVain = 0
    useOutbox.setState({ away: false })
    await settle(batch, outcomes)
  }
}

async function outcomesOf(sender: Sender, batch: readonly Entry[]): Promise<readonly Outcome[] | 'away'> {
  try {
    return await sender.send(batch)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const why = textOf(error)
    if (why === 'away' || error.endsSession) return 'away'
    // One wrong entry of many must not hold up or take down the others: only a batch of one is known to be refused itself.
    const became = why !== null && batch.length === 1 ? 'refused' : 'later'
    return batch.map(({ id, rev }) => ({ id, rev, became, why }))
  }
}

async function settle(batch: readonly Entry[], outcomes: readonly Outcome[]): Promise<void> {
  const now = Date.now()
  const named = new Set(outcomes.map(({ id }) => id))
  const unnamed = batch.filter(({ id }) => !named.has(id)).map(({ id, rev }): Outcome => ({ id, rev, became: 'later' }))
  const stored = new Set(outcomes.filter(({ became }) => became === 'held').map(({ id }) => id))
  const gone = batch.flatMap((entry) => (entry.kind === 'photo' && stored.has(entry.id) ? hashIn(entry.body) : []))
  await changeKept(
    (entries) =>
      settled(entries, [...outcomes, ...unnamed], now, Math.random()).filter(
        ({ state, kind, madeAt }) => state !== 'held' || kind === 'answer' || now - madeAt < shownForMs,
      ),
    { gone },
  )
}

/** When it is tried again by itself. */
function plan(): void {
  clearTimeout(timer)
  const { state, entries } = useKept.getState()
  const due = state === 'open' && senders.size > 0 && !isStuck ? nextDue(entries) : null
  if (due === null) return
  const wait = triesInVain > 0 ? delayMs(triesInVain - 1, Math.random()) : Math.max(0, due - Date.now())
  timer = setTimeout(sendSoon, wait)
}

/** What the server says to it; null: it failed. */
function textOf({ problem, message }: CallError): Text | null | 'away' {
  if (problem.kind === 'network' || problem.kind === 'timeout') return 'away'
  if (problem.kind === 'http') return null
  if (problem.status >= 500 || problem.status === 429) return null
  if (problem.failure.Text) return problem.failure.Text
  if (Object.hasOwn(specifiedMessages, message)) return specifiedMessages[message as keyof typeof specifiedMessages]
  return { zh: message, en: message }
}
