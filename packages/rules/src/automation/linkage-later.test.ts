import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { LaterBar, LaterNow, LineStands, MoveSince, SinceFiring, TripSince } from './linkage-later.ts'
import { laterBar } from './linkage-later.ts'

const [firedAt, tripAt] = [1_000, 1_030]
const open: LineStands = { position: 'open', since: 400 }
const quiet: SinceFiring = { before: open, read: open, trips: [], moves: [], wasAway: false }
const now: LaterNow = { line: open, isDanger: false, isOpenedByOther: false, areTripsOpen: true }
const trip = (own: Partial<TripSince> = {}): TripSince => ({
  ...{ isOwn: false, afterDanger: false, isOrdered: true, at: tripAt },
  ...own,
})
const at = (position: LineStands['position'], since: number | null): LineStands => ({ position, since })
/** It was closed at the firing, a scene of the firing has opened it, and it stands so. */
const opened = at('open', tripAt)
const byOwn = {
  ...{ before: at('closed', 400), read: opened, trips: [trip({ isOwn: true })] },
  moves: [{ to: 'open', at: tripAt + 1 }],
} as const
const stillOpen = { line: opened }

test.each<[string, Partial<SinceFiring>, Partial<LaterNow>, LaterBar | null]>([
  ['nothing between', {}, {}, null],
  [
    'nothing between, and nobody ever saw it move',
    { before: at('open', null), read: at('open', null) },
    { line: at('open', null) },
    null,
  ],
  ['it stands closed', { before: at('closed', 400), read: at('closed', 400) }, { line: at('closed', 400) }, null],
  ['somebody has closed it', { moves: [{ to: 'closed', at: tripAt }] }, { line: at('closed', tripAt) }, null],
  ['a trip by somebody else', { trips: [trip()] }, {}, 'opened'],
  ['a trip that a danger led to', { trips: [trip(), trip({ afterDanger: true })] }, {}, 'danger'],
  ['a danger is on the line', {}, { isDanger: true }, 'danger'],
  ['a danger is on the line that nobody knows of otherwise', { before: null }, { isDanger: true }, 'danger'],
  ['what the firing trips is not open', {}, { areTripsOpen: false }, 'tripFailed'],
  ['an opening was observed', { moves: [{ to: 'open', at: tripAt }] }, {}, 'opened'],
  ['it was closed at the firing', { before: at('closed', 400) }, {}, 'opened'],
  ['it was closed when that was read', { read: at('closed', 900) }, {}, 'opened'],
  ['it has opened once more', {}, { line: at('open', tripAt) }, 'opened'],
  ['it has moved unobserved', {}, { line: at('open', null) }, 'opened'],
  ['of an older server', { before: null }, {}, 'unknown'],
  ['not known at the firing', { before: at(null, null) }, {}, 'unknown'],
  ['not known now', {}, { line: at(null, 400) }, 'unknown'],
  ['not known when that was read', { read: at(null, 400) }, {}, 'unknown'],
  ['its equipment was away in between', { wasAway: true }, {}, 'unknown'],
  ['opened by the firing itself, and away since', { ...byOwn, wasAway: true }, stillOpen, 'unknown'],
  [
    'away in between, and it stands closed',
    { before: at('closed', 400), read: at('closed', 400), wasAway: true },
    { line: at('closed', 400) },
    null,
  ],
  ['opened by the firing itself', byOwn, stillOpen, null],
  [
    'opened before the firing has ordered its own trip',
    { ...byOwn, trips: [trip({ isOwn: true, isOrdered: false })] },
    stillOpen,
    'opened',
  ],
  ['tripped by the firing itself, and opened by something else', byOwn, { ...stillOpen, isOpenedByOther: true }, 'opened'],
  ['opened by something else long before', {}, { isOpenedByOther: true }, null],
  ['tripped by the firing itself, and open before', { trips: [trip({ isOwn: true })] }, {}, null],
  ['tripped by the firing twice', { ...byOwn, trips: [trip({ isOwn: true, at: tripAt + 9 }), ...byOwn.trips] }, stillOpen, null],
  ['tripped by the firing and by somebody else', { ...byOwn, trips: [...byOwn.trips, trip()] }, stillOpen, 'opened'],
  ['opened before the firing has tripped it', { ...byOwn, moves: [{ to: 'open', at: tripAt - 1 }] }, stillOpen, 'opened'],
  ['opened by the firing, and once more', { ...byOwn, moves: [...byOwn.moves, ...byOwn.moves] }, stillOpen, 'opened'],
  ['opened by the firing, and once more after that was read', byOwn, { line: at('open', tripAt + 50) }, 'opened'],
  [
    'closed by somebody where the firing had tripped it',
    { ...byOwn, moves: [{ to: 'closed', at: tripAt }] },
    stillOpen,
    'opened',
  ],
  ['moved unobserved since', { ...byOwn, read: at('open', null) }, { line: at('open', null) }, 'opened'],
  [
    'open before, and moved unobserved since',
    { trips: [trip({ isOwn: true })], read: at('open', null) },
    { line: at('open', null) },
    'opened',
  ],
])('a close after a delay: %s', (_name, since, then, bar) => {
  expect(laterBar({ ...quiet, ...since }, { ...now, ...then })).toBe(bar)
})

const steps = ['handOpens', 'handCloses', 'otherTrips', 'dangerTrips', 'ownTrips', 'movesUnobserved', 'foundOpen'] as const
type Step = (typeof steps)[number]
const quietSteps: readonly Step[] = ['ownTrips']

/** What happens to a line, what of it is known, and whether anything but the firing itself has opened or tripped it. */
function lived(before: LineStands, had: readonly Step[], after: readonly Step[]) {
  let [line, isByOthers, clock] = [before, false, firedAt]
  const trips: TripSince[] = []
  const moves: MoveSince[] = []
  const moved = (to: 'open' | 'closed', since: number | null) => {
    if (line.position === to) return
    line = { position: to, since }
    moves.push({ to, at: clock })
  }
  const does: Record<Step, () => void> = {
    handOpens() {
      isByOthers ||= line.position === 'closed'
      moved('open', clock)
    },
    handCloses: () => moved('closed', clock),
    otherTrips() {
      isByOthers = true
      trips.push(trip({ at: clock }))
      moved('open', clock)
    },
    dangerTrips() {
      isByOthers = true
      trips.push(trip({ at: clock, afterDanger: true }))
      moved('open', clock)
    },
    ownTrips() {
      trips.push(trip({ at: clock, isOwn: true }))
      moved('open', clock)
    },
    // A late report shows that it has moved and come back while nobody saw it. Where it is closed again, what opens it next counts.
    movesUnobserved() {
      if (line.since === null) return
      isByOthers ||= line.position === 'open'
      line = { ...line, since: null }
    },
    foundOpen() {
      isByOthers ||= line.position === 'closed'
      moved('open', null)
    },
  }
  const live = (all: readonly Step[]) => {
    for (const step of all) {
      clock += 1_000
      does[step]()
    }
  }
  live(had)
  const since: SinceFiring = { before, read: line, trips: [...trips], moves: [...moves], wasAway: false }
  // What is tripped after that was read is found by the fence of the line.
  live(after.filter((step) => !step.endsWith('Trips')))
  return { since, line, isByOthers }
}
const anyBefore = fc.record({ position: fc.constantFrom('open' as const, 'closed' as const), since: fc.constantFrom(400, null) })
const anySteps = fc.array(fc.constantFrom(...steps), { maxLength: 6 })
/** At its turn, between the reading and the gate, a line moves once at most. */
const lastStep = fc.array(fc.constantFrom(...steps), { maxLength: 1 })

test('whatever happens to a line, it is not closed where anything but the firing itself has opened it', () => {
  fc.assert(
    fc.property(anyBefore, anySteps, lastStep, (before, had, after) => {
      const { since, line, isByOthers } = lived(before, had, after)
      const bar = laterBar(since, { ...now, line })
      if (line.position === 'open' && isByOthers) expect(bar).not.toBeNull()
    }),
    { numRuns: lawRuns(2_000) },
  )
})

test('where nothing but the firing itself has moved a line, it may be closed', () => {
  fc.assert(
    fc.property(anyBefore, fc.array(fc.constantFrom(...quietSteps), { maxLength: 3 }), (before, had) => {
      const { since, line } = lived(before, had, [])
      expect(laterBar(since, { ...now, line })).toBeNull()
    }),
    { numRuns: lawRuns(500) },
  )
})

test('nothing that becomes known besides lets a close go on that is refused', () => {
  const more: readonly ((since: SinceFiring) => SinceFiring)[] = [
    (since) => ({ ...since, trips: [...since.trips, trip()] }),
    (since) => ({ ...since, trips: [...since.trips, trip({ afterDanger: true })] }),
    (since) => ({ ...since, before: null }),
    (since) => ({ ...since, read: at(null, null) }),
    (since) => ({ ...since, wasAway: true }),
  ]
  fc.assert(
    fc.property(anyBefore, anySteps, fc.constantFrom(...more), (before, had, adds) => {
      const { since, line } = lived(before, had, [])
      const then = { ...now, line }
      if (laterBar(since, then) !== null) expect(laterBar(adds(since), then)).not.toBeNull()
      expect(laterBar(since, { ...then, isDanger: true })).toBe('danger')
      expect(laterBar(since, { ...then, areTripsOpen: false })).not.toBeNull()
      expect(laterBar(since, { ...then, line: at(null, line.since) })).not.toBeNull()
      // What a danger has tripped is never a matter of anything milder.
      if (since.trips.some(({ afterDanger }) => afterDanger)) expect(laterBar(since, then)).toBe('danger')
    }),
    { numRuns: lawRuns(2_000) },
  )
})
