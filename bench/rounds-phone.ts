import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import { CallError, createClient, photoHashOf, sendPhoto } from '@linewarden/client'
import type { RoundPackage } from '@linewarden/contract'
import { answerRound, finishRound, roundPackage, sendRoundPhoto, startRound } from '@linewarden/contract'
import { jpegPhoto } from '@linewarden/server/test-photos'
import type { Entry, Outcome } from '../apps/console/src/app/offline/entry.ts'
import { dueNow, nextBatch, nextDue, settled } from '../apps/console/src/app/offline/entry.ts'
import type { Act } from '../apps/console/src/app/offline/outbox-acts.ts'
import { withActs } from '../apps/console/src/app/offline/outbox-acts.ts'
import type { RoundEntry } from '../apps/console/src/areas/inspection/phone/round-now.ts'
import { answerId, arrivalId, finishId, thingOf } from '../apps/console/src/areas/inspection/phone/round-now.ts'
import { smallPlan } from '../tests/kit/small-plan.ts'
import type { Stack } from '../tests/kit/stack.ts'
import { sessionOf, startStack } from '../tests/kit/stack.ts'
import type { DroppingLink } from './rounds-link.ts'
import { droppingLink } from './rounds-link.ts'

/** What a link of 2 Mbit/s carries in 20 seconds. */
const bytesBetweenDrops = 5_000_000
/** Larger than one piece every second time, and never larger than a phone sends. */
const [smallestPhoto, largestPhoto] = [150_000, 390_000]
const most: Readonly<Record<string, number>> = { answer: 100, photo: 1, finish: 1 }
const maxMs = 10 * 60_000

interface PhoneFigures {
  readonly stops: number
  readonly photos: number
  readonly answers: number
  readonly sentS: number
  readonly carriedMb: number
  readonly drops: DroppingLink['drops']
  readonly state: string
  readonly lost: number
  readonly duplicates: number
}

/**
 * A round on site as a phone sends it, over a link that drops. What is sent when, what is sent again and when something is forgotten is the
 * phone's own code; only its disk and its browser are not there.
 */
export async function roundOfPhone(stops: number, photos: number): Promise<PhoneFigures> {
  const stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const files = await mkdtemp(join(tmpdir(), 'lw-bench-photos-'))
  const link = await droppingLink(Number(new URL(stack.url).port), bytesBetweenDrops)
  try {
    const HouseID = [...stack.server.plant.projects.keys()][0] ?? 0
    const RoundID = crypto.randomUUID()
    const Stops = Array.from({ length: stops }, (_, index) => ({ Place: `${index + 1} 号配电间` }))
    const asks = { LeftOut: [], OwnItems: [], Signature: 'none' as const, PhotoOn: 'never' as const }
    await stack.client.call(startRound, {
      body: { HouseID, RoundID, Without: { ...asks, Name: 'bench', Kind: 'onSite', Stops } },
    })
    const pack = await stack.client.call(roundPackage, { params: { RoundID } })
    const hashes = await taken(files, photos)
    const acts = walked(pack, hashes)
    const session = await sessionOf(stack.url, stack.admin)
    const client = createClient({ baseUrl: link.url, session: () => session })
    const began = performance.now()
    const entries = await sentAll({ client, link, files, RoundID }, withActs([], acts, Date.now()))
    const sentS = Number(((performance.now() - began) / 1_000).toFixed(1))
    return {
      ...{ stops, photos, answers: acts.filter(({ id }) => id.includes(':answer:')).length, sentS },
      ...{ carriedMb: Math.round(link.carriedBytes() / 1e6), drops: link.drops },
      ...(await atServer(stack, { RoundID, files, hashes }, entries)),
    }
  } finally {
    await link.close()
    await stack.close()
    await rm(files, { recursive: true, force: true })
  }
}

/** Photos as they lie on the phone, by their hashes. */
async function taken(folder: string, count: number): Promise<readonly string[]> {
  const hashes: string[] = []
  for (let index = 0; index < count; index++) {
    const share = index / Math.max(1, count - 1)
    const bytes = jpegPhoto({ bytes: Math.round(smallestPhoto + share * (largestPhoto - smallestPhoto)) })
    const hash = photoHashOf(bytes)
    await writeFile(join(folder, hash), bytes)
    hashes.push(hash)
  }
  return hashes
}

/** Everything that somebody does on the round, the photos shared out among its stops, and each stop's among its items. */
function walked({ Round: { RoundID }, Stops, Checklists }: RoundPackage, hashes: readonly string[]): readonly Act[] {
  const thing = thingOf(RoundID)
  const lists = new Map(Checklists.map(({ List, Items }) => [List, Items]))
  const done = Stops.flatMap(({ StopID, List }, stop): Act[] => {
    const items = lists.get(List) ?? []
    const own = hashes.filter((_, index) => index % Stops.length === stop)
    const arrival = { StopID, How: 'qr', PhoneTime: Date.now() } as const
    return [
      {
        ...{ id: arrivalId(RoundID, StopID), thing, kind: 'answer', rank: 0 },
        body: { Does: 'arrive', Arrival: arrival } satisfies RoundEntry['body'],
      },
      ...items.map(({ ItemID }, item): Act => {
        const Photos = own.filter((_, index) => index % items.length === item)
        const given = { Result: 'none', Value: null, Choice: null, Note: '', Level: null, Photos, PhoneTime: Date.now() } as const
        return {
          ...{ id: answerId(RoundID, StopID, ItemID), thing, kind: 'answer', rank: 0 },
          body: { Does: 'answer', Answer: { StopID, ItemID, ...given } } satisfies RoundEntry['body'],
        }
      }),
    ]
  })
  return [
    ...done,
    ...hashes.map((hash): Act => ({ id: `${thing}:photo:${hash}`, thing, kind: 'photo', rank: 1, body: { Hash: hash } })),
    { id: finishId(RoundID), thing, kind: 'finish', rank: 2, body: {} },
  ]
}

interface Sending {
  readonly client: Client
  readonly link: DroppingLink
  readonly files: string
  readonly RoundID: string
}

/** As the phone's outbox does it: until nothing waits. */
async function sentAll(sending: Sending, all: readonly Entry[]): Promise<readonly Entry[]> {
  const until = Date.now() + maxMs
  const received = new Map<string, number>()
  let entries = all
  while (Date.now() < until) {
    const batch = nextBatch(entries, Date.now(), (kind) => most[kind] ?? 1)
    if (batch.length === 0) {
      const due = nextDue(entries)
      if (due === null) return entries
      await wait(Math.max(0, due - Date.now()))
      continue
    }
    const outcomes = await outcomesOf(sending, batch, received)
    if (outcomes === 'away') {
      await sending.link.isBack()
      entries = dueNow(entries)
    } else entries = settled(entries, outcomes, Date.now(), 0)
  }
  return entries
}

async function outcomesOf(
  sending: Sending,
  batch: readonly Entry[],
  received: Map<string, number>,
): Promise<readonly Outcome[] | 'away'> {
  try {
    return await sent(sending, batch, received)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const { problem } = error
    if (problem.kind === 'network' || problem.kind === 'timeout') return 'away'
    const isBusy = problem.status >= 500 || problem.status === 429
    return batch.map(({ id, rev }) => ({ id, rev, became: isBusy ? 'later' : 'refused' }))
  }
}

async function sent(
  { client, files, RoundID }: Sending,
  batch: readonly Entry[],
  received: Map<string, number>,
): Promise<readonly Outcome[]> {
  const params = { RoundID }
  const [head] = batch
  if (head?.kind === 'photo') {
    const { Hash } = head.body as { Hash: string }
    const send = (piece: { Size: number; Offset: number; Bytes: string }) =>
      client.call(sendRoundPhoto, { params: { RoundID, Hash }, body: { ...piece, TakenAt: head.madeAt } })
    await sendPhoto(await readFile(join(files, Hash)), send, {
      from: received.get(Hash) ?? 0,
      onReceived: (sofar) => received.set(Hash, sofar),
    })
    return [{ id: head.id, rev: head.rev, became: 'held' }]
  }
  if (head?.kind === 'finish') {
    await client.call(finishRound, { params, body: {} })
    return [{ id: head.id, rev: head.rev, became: 'held' }]
  }
  const own = batch as readonly RoundEntry[]
  const { Arrivals, Answers } = await client.call(answerRound, {
    params,
    body: {
      ...{ PhoneID: phoneId, Now: Date.now() },
      Arrivals: own.flatMap(({ body }) => (body.Does === 'arrive' ? [body.Arrival] : [])),
      Answers: own.flatMap(({ body, rev }) => (body.Does === 'answer' ? [{ ...body.Answer, Rev: rev }] : [])),
    },
  })
  return own.flatMap(({ id, rev, body }): Outcome[] => {
    const named =
      body.Does === 'arrive'
        ? Arrivals.find(({ StopID }) => StopID === body.Arrival.StopID)
        : Answers.find(({ StopID, ItemID }) => StopID === body.Answer.StopID && ItemID === body.Answer.ItemID)
    return named ? [{ id, rev, became: named.Outcome === 'held' ? 'held' : 'refused' }] : []
  })
}

const phoneId = crypto.randomUUID()

/** What the server holds in the end beside what lies on the phone. */
async function atServer(
  { server }: Stack,
  { RoundID, files, hashes }: { readonly RoundID: string; readonly files: string; readonly hashes: readonly string[] },
  entries: readonly Entry[],
): Promise<Pick<PhoneFigures, 'state' | 'lost' | 'duplicates'>> {
  const { general } = server.database
  const of = { kind: 'round', id: RoundID } as const
  const photos = (await server.photos.listOf(of)).map(({ sent_hash }) => sent_hash)
  let damaged = 0
  for (const hash of hashes) {
    const file = await server.photos.file(of, hash).catch(() => null)
    if (!file || !(await readFile(join(files, hash))).equals(file.bytes)) damaged++
  }
  const answers = await general
    .selectFrom('inspection_answer')
    .select(['stop_id', 'item_id', 'photos'])
    .where('round_id', '=', RoundID)
    .execute()
  const arrivals = await general.selectFrom('inspection_arrival').select('stop_id').where('round_id', '=', RoundID).execute()
  const stored = [
    ...answers.map((each) => answerId(RoundID, each.stop_id, each.item_id)),
    ...arrivals.map(({ stop_id }) => arrivalId(RoundID, stop_id)),
    ...photos.map((hash) => `${thingOf(RoundID)}:photo:${hash}`),
  ]
  const distinct = new Set(stored)
  const missing = entries.filter(({ id, state }) => state !== 'held' || (id !== finishId(RoundID) && !distinct.has(id)))
  const { state } = await general
    .selectFrom('inspection_round')
    .select('state')
    .where('round_id', '=', RoundID)
    .executeTakeFirstOrThrow()
  return { state, lost: missing.length + damaged, duplicates: stored.length - distinct.size }
}
