import type { Firing, LinkagePicture } from '@linewarden/rules/automation'
import { maxLateMs, setBackLinkage } from '@linewarden/rules/automation'
import type { Ingest } from '../../field/ingest.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { LineReads, LiveLinkage, Read } from './linkage-state.ts'
import { slotNow, slotReceivedAt, valueNow } from './linkage-values.ts'

type Validity = Pick<Ingest, 'hasValidPosition'>

/** More than this, and the clock was set back. */
const setBackMs = 2_000

/** Folds what these lines say now, and the time that has passed; what was folded already changes nothing. Almost always `takeSame` spares it. */
export function foldNow(ingest: Validity, own: LiveLinkage, which: (line: PlantLine) => boolean, now: number): readonly Firing[] {
  const aheadMs = own.state.clock - now
  if (aheadMs > setBackMs) own.state = setBackLinkage(own.state, aheadMs)
  if (aheadMs > setBackMs && own.elsewhere) own.elsewhere = setBackLinkage(own.elsewhere, aheadMs)
  const pictures = picturesOf(ingest, own, which, now)
  const firings = own.steady.fold(pictures, now)
  own.nearFrom = Number.NEGATIVE_INFINITY
  if (pictures.length > 0 || firings.length > 0) own.isDirty = true
  return firings
}

/** Takes what a line says now, where that changes nothing but when it was reported; almost every report does. False: it is to be folded, as a whole. */
export function takeSameOf(ingest: Validity, reads: LineReads, now: number): boolean {
  const { steady } = reads.own
  if (!steady.isStill(now) || !isSameSampled(reads, now) || !isSameLasting(ingest, reads, now)) return false
  takeSampled(reads)
  takeLasting(reads, now)
  steady.reach(now)
  return true
}

/**
 * The same of all these lines, when time has passed. `sampledToo`: they may have reported what was not looked at; else what is sampled was taken when
 * it came.
 */
export function takeSame(
  ingest: Validity,
  { steady, reads: all }: LiveLinkage,
  which: (line: PlantLine) => boolean,
  now: number,
  sampledToo: boolean,
): boolean {
  if (!steady.isStill(now)) return false
  const isAsked = (reads: LineReads) => (sampledToo || reads.lasting.length > 0) && which(reads.line)
  for (const reads of all)
    if (isAsked(reads) && !((!sampledToo || isSameSampled(reads, now)) && isSameLasting(ingest, reads, now))) return false
  for (const reads of all) {
    if (!isAsked(reads)) continue
    if (sampledToo) takeSampled(reads)
    takeLasting(reads, now)
  }
  steady.reach(now)
  return true
}

/** Whether nothing sampled of a line is new, or one message that carries all that is read of it, and says what the one before it said. */
function isSameSampled({ own, line, sampled, first }: LineReads, now: number): boolean {
  const { steady, taken, stood } = own
  const cameAt = line.liveReceivedAt ?? 0
  if (cameAt === stood[first]) {
    for (const { index, slot } of sampled) if (slot === null || line.valuesReceivedAt[slot] !== taken[index]) return false
    return true
  }
  if (sampled.length > 0 && markOf(line) !== 'live') return false
  for (const { index, slot } of sampled) {
    if (slot === null || line.valuesReceivedAt[slot] !== cameAt) return false
    if (!steady.isSame(index, cameAt, line.values[slot]!, now)) return false
  }
  return true
}

function isSameLasting(ingest: Validity, { own, line, lasting, found }: LineReads, now: number): boolean {
  for (let nth = 0; nth < lasting.length; nth++) {
    const { index, condition } = lasting[nth]!
    const value = valueNow(ingest, line, condition) ?? Number.NaN
    if (!own.steady.isSame(index, now, value, now)) return false
    found[nth] = value
  }
  return true
}

function takeSampled({ own, line, sampled, first }: LineReads): void {
  const { steady, taken, stood } = own
  const cameAt = line.liveReceivedAt ?? 0
  if (cameAt === stood[first]) return
  stood[first] = cameAt
  for (const { index, slot } of sampled) {
    taken[index] = cameAt
    steady.take(index, cameAt, line.values[slot ?? 0]!)
    own.isDirty = true
  }
}

function takeLasting({ own, lasting, found }: LineReads, now: number): void {
  for (let nth = 0; nth < lasting.length; nth++) {
    own.steady.take(lasting[nth]!.index, now, found[nth]!)
    own.isDirty = true
  }
}

/** What a line says now of the conditions that read it: values that were sampled when they came, what stands until it changes as of now. */
function picturesOf(
  ingest: Validity,
  own: LiveLinkage,
  which: (line: PlantLine) => boolean,
  now: number,
): readonly LinkagePicture[] {
  const pictures: LinkagePicture[] = []
  const { conditions } = own.state
  for (const reads of own.reads) {
    const { line, id, sampled, lasting } = reads
    if (!which(line)) continue
    const lastOf = (some: readonly Read[]) => some.reduce((last, { index }) => Math.max(last, conditions[index]?.lastAt ?? 0), 0)
    for (const [cameAt, some] of newSamples(own, line, sampled, now)) {
      for (const { index } of some) own.taken[index] = cameAt
      pictures.push({
        ...{ at: Math.max(Math.min(cameAt, now), lastOf(some) + 1), mark: markOf(line) },
        values: some.map(({ key, slot }) => ({ line: id, key, value: slotNow(line, slot) })),
      })
    }
    pictures.push(...leftOut(own, reads, now))
    if (lasting.length > 0)
      pictures.push({
        ...{ at: Math.max(now, lastOf(lasting) + 1, lastOf(sampled) + 1), mark: 'live' },
        values: lasting.map(({ key, condition }) => ({ line: id, key, value: valueNow(ingest, line, condition) })),
      })
  }
  return pictures
}

/**
 * What the newest message of a line leaves out stands as it was reported: equipment may say only what has changed, and a trip does not wait for
 * it. It was not reported of late: what is older than a moment closes nothing.
 */
function leftOut(own: LiveLinkage, { line, id, sampled, first }: LineReads, now: number): LinkagePicture[] {
  const { liveReceivedAt } = line
  if (liveReceivedAt === null || own.stood[first] === liveReceivedAt) return []
  own.stood[first] = liveReceivedAt
  const mark = markOf(line)
  return sampled.flatMap(({ index, key, slot }): LinkagePicture[] => {
    const reportedAt = slotReceivedAt(line, slot)
    if (reportedAt === null || reportedAt === liveReceivedAt) return []
    return [
      {
        at: Math.max(Math.min(liveReceivedAt, now), (own.state.conditions[index]?.lastAt ?? 0) + 1),
        mark: mark === 'live' && liveReceivedAt - reportedAt > maxLateMs.close ? 'old' : mark,
        values: [{ line: id, key, value: slotNow(line, slot) }],
      },
    ]
  })
}

/** By when they came, the values that were not taken yet. */
function newSamples(
  own: LiveLinkage,
  line: PlantLine,
  sampled: readonly Read[],
  now: number,
): ReadonlyMap<number, readonly Read[]> {
  const found = new Map<number, Read[]>()
  for (const read of sampled) {
    const cameAt = slotReceivedAt(line, read.slot)
    const taken = own.taken[read.index]
    if (cameAt === null || cameAt === taken) continue
    // By a clock that was set back by so little that nothing moved along, what is new comes at an earlier time.
    const last = (own.state.conditions[read.index]?.lastAt ?? 0) - (taken === 0 ? 0 : setBackMs)
    if (Math.min(cameAt, now) <= last) continue
    const others = found.get(cameAt)
    if (others) others.push(read)
    else found.set(cameAt, [read])
  }
  return found
}

/** A value that was measured some time before it came may be played back: what rises by it closes nothing. */
function markOf({ clockGood, liveAt, liveReceivedAt }: PlantLine): LinkagePicture['mark'] {
  if (!clockGood) return 'clockOff'
  return liveAt !== null && liveReceivedAt !== null && liveReceivedAt - liveAt > maxLateMs.close ? 'old' : 'live'
}
