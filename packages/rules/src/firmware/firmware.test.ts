import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CampaignFacts, Stage } from './campaign.ts'
import { campaignStep, countsAs, delayOf, isBad, stageEnds, steered } from './campaign.ts'
import { firmwareFormat, readManifest } from './manifest.ts'
import type { UpgradeFact, UpgradeLife, UpgradeState } from './upgrade.ts'
import {
  foldUpgrade,
  isSettled,
  isUpgradeOpen,
  isUpgrading,
  maxTries,
  newUpgrade,
  offerAnswerMs,
  silentMs,
  upgradeStates,
} from './upgrade.ts'
import { compareVersions, versionStatus } from './version.ts'

const target = { version: '2.0.0', size: 1_000 }

describe('versions', () => {
  test.each([
    ['1.9.0', '1.10.0', -1],
    ['2.0.0', '2.0.0', 0],
    ['2.0.1', '2.0.0', 1],
  ])('%s against %s', (one, other, sign) => expect(Math.sign(compareVersions(one, other) ?? Number.NaN)).toBe(sign))

  test.each([
    ['1.9.9', 'older'],
    ['2.0.0', 'same'],
    ['2.0.1', 'newer'],
  ] as const)('a gateway with %s is %s than or as 2.0.0', (reported, status) =>
    expect(versionStatus(reported, '2.0.0')).toBe(status),
  )

  test.each(['', '1.2', '1.2.3.4', 'v1.2.3', '1.2.03', '1.2.3-beta', '１.2.3', '1.2.100000'])('%j is no version', (text) => {
    expect(compareVersions(text, '1.0.0')).toBeNull()
    expect(versionStatus(text, '1.0.0')).toBe('unknown')
  })
})

describe('a manifest', () => {
  const good = { format: firmwareFormat, model: 'LW-G1', version: '1.2.3', size: 5, sha256: 'a'.repeat(64) }
  test('is read', () => expect(readManifest(JSON.stringify(good))).toMatchObject({ model: 'LW-G1', version: '1.2.3', notes: '' }))
  test.each([
    ['format', { format: 'other' }],
    ['model', { model: '../x' }],
    ['version', { version: '1.2' }],
    ['size', { size: 0 }],
    ['size', { size: 1.5 }],
    ['size', { size: 2 ** 40 }],
    ['sha256', { sha256: 'A'.repeat(64) }],
    ['notes', { notes: 'x'.repeat(1_001) }],
    ['extra', { extra: 1 }],
  ])('with a wrong %s is named by it', (named, wrong) => expect(readManifest(JSON.stringify({ ...good, ...wrong }))).toBe(named))
  test.each(['', '[]', 'null', '{', '5'])('%j is none', (text) => expect(readManifest(text)).toBe('json'))
})

const version = fc.constantFrom('1.0.0', '2.0.0', '3.0.0', 'odd', null)
const factOf: fc.Arbitrary<(at: number) => UpgradeFact> = fc.oneof(
  fc
    .constantFrom('offered', 'ready', 'installing', 'notLet', 'deferred', 'cancelled', 'tick' as const)
    .map((kind) => (at: number) => ({ kind, at }) as UpgradeFact),
  fc.integer({ min: 0, max: 2_000 }).map(
    (offset) =>
      (at: number): UpgradeFact => ({ kind: 'asked', offset, at }),
  ),
  fc.constantFrom('bad_hash', 'install_failed' as const).map(
    (reason) =>
      (at: number): UpgradeFact => ({ kind: 'refused', reason, at }),
  ),
  fc.tuple(version, fc.boolean()).map(
    ([v, restarted]) =>
      (at: number): UpgradeFact => ({ kind: 'reported', version: v, restarted, at }),
  ),
)
const factLists = fc.array(fc.tuple(factOf, fc.integer({ min: 0, max: silentMs * 2 })), { maxLength: 40 })

/** Folds facts one after the other and answers every life on the way. */
function lived(list: readonly (readonly [(at: number) => UpgradeFact, number])[]) {
  let at = 0
  let life = newUpgrade('1.0.0', target.version, at)
  const steps: { before: UpgradeLife; fact: UpgradeFact; after: UpgradeLife }[] = []
  for (const [make, later] of list) {
    at += later
    const fact = make(at)
    const after = foldUpgrade(life, target, fact)
    steps.push({ before: life, fact, after })
    life = after
  }
  return steps
}

describe('the life of an upgrade', () => {
  test('only the reported version makes success', () =>
    fc.assert(
      fc.property(factLists, (list) => {
        for (const { before, fact, after } of lived(list))
          if (after.state === 'success' && before.state !== 'success')
            expect(fact).toMatchObject({ kind: 'reported', version: target.version })
      }),
    ))

  test('whoever reports the new version succeeds, from wherever it stood', () =>
    fc.assert(
      fc.property(factLists, (list) => {
        const last = lived(list).at(-1)?.after ?? newUpgrade('1.0.0', target.version, 0)
        if (!isUpgradeOpen(last.state)) return
        const after = foldUpgrade(last, target, { kind: 'reported', version: target.version, restarted: true, at: 1e12 })
        expect(['success', 'alreadyLatest']).toContain(after.state)
      }),
    ))

  test('an outcome stands, except that an unknown one may be learnt', () =>
    fc.assert(
      fc.property(factLists, (list) => {
        for (const { before, after } of lived(list))
          if (isSettled(before.state) && before.state !== 'unknown') expect(after).toBe(before)
      }),
    ))

  test('progress never goes back and never passes the size', () =>
    fc.assert(
      fc.property(factLists, (list) => {
        for (const { before, after } of lived(list)) {
          expect(after.got).toBeGreaterThanOrEqual(before.got)
          expect(after.got).toBeLessThanOrEqual(target.size)
        }
      }),
    ))

  test('what was not let install after all is ready as before, and may be let, deferred or cancelled', () => {
    const before = from('ready', { got: target.size })
    const installing = foldUpgrade(before, target, { kind: 'installing', at: 1 })
    const ready = foldUpgrade(installing, target, { kind: 'notLet', at: 2 })
    expect(ready).toEqual({ ...before, since: 2 })
    expect(foldUpgrade(ready, target, { kind: 'tick', at: silentMs * 2 })).toBe(ready)
    for (const [kind, state] of [
      ['installing', 'installing'],
      ['deferred', 'waiting'],
      ['cancelled', 'cancelled'],
    ] as const)
      expect(foldUpgrade(ready, target, { kind, at: 3 }).state).toBe(state)
  })

  test('what is deferred, or got further, has its tries before it again', () => {
    const tired = from('downloading', { tries: 2, got: 10 })
    expect(foldUpgrade(tired, target, { kind: 'deferred', at: 3 })).toMatchObject({ state: 'waiting', tries: 0, got: 10 })
    const asked = (offset: number) => foldUpgrade(tired, target, { kind: 'asked', offset, at: 3 })
    expect([asked(10).tries, asked(11).tries]).toEqual([2, 0])
  })

  test('it installs only after it was ready', () =>
    fc.assert(
      fc.property(factLists, (list) => {
        for (const { before, after } of lived(list))
          if (after.state === 'installing' && before.state !== 'installing') expect(before.state).toBe('ready')
      }),
    ))

  test('an abort never takes back what is being installed', () =>
    fc.assert(
      fc.property(fc.constantFrom(...upgradeStates), (state) => {
        const life: UpgradeLife = { state, got: 0, tries: 0, reason: null, since: 0, reportedAt: null }
        const after = foldUpgrade(life, target, { kind: 'cancelled', at: 1 })
        if (state === 'installing' || state === 'unknown') expect(after).toBe(life)
        else if (!isSettled(state)) expect(after.state).toBe('cancelled')
      }),
    ))

  const from = (state: UpgradeState, more: Partial<UpgradeLife> = {}): UpgradeLife => ({
    ...newUpgrade('1.0.0', target.version, 0),
    state,
    ...more,
  })
  const back = (life: UpgradeLife) => foldUpgrade(life, target, { kind: 'reported', version: '1.0.0', restarted: true, at: 5 })

  test('a gateway back with its old version is asked again, and failed when that happens too often', () => {
    expect(back(from('installing', { tries: 1 }))).toMatchObject({ state: 'waiting', reason: null })
    expect(back(from('installing', { tries: maxTries }))).toMatchObject({ state: 'failed', reason: 'rolled_back' })
  })

  test('a birth that was asked for is no restart', () => {
    const life = from('installing', { tries: maxTries })
    expect(foldUpgrade(life, target, { kind: 'reported', version: '1.0.0', restarted: false, at: 5 })).toBe(life)
  })

  test('getting further forgets the tries: a weak link is no failure', () => {
    let life = from('downloading', { tries: maxTries, got: 100 })
    life = foldUpgrade(life, target, { kind: 'asked', offset: 200, at: 1 })
    expect(back(life).state).toBe('waiting')
  })

  test('a gateway that never answers an offer is failed after so many offers', () => {
    let life = from('waiting')
    let at = 0
    for (let i = 0; i < maxTries; i++) {
      life = foldUpgrade(life, target, { kind: 'offered', at })
      at += offerAnswerMs + 1
      life = foldUpgrade(life, target, { kind: 'tick', at })
    }
    expect(life).toMatchObject({ state: 'failed', reason: 'no_answer' })
  })

  test('silence while installing is unknown, not failed', () => {
    expect(foldUpgrade(from('installing'), target, { kind: 'tick', at: silentMs + 1 })).toMatchObject({
      state: 'unknown',
      reason: 'silent',
    })
  })

  test('a gateway of which nothing is known has failed once it is back with its old version, whatever tries it had left', () =>
    expect(back(from('unknown', { tries: 0 }))).toMatchObject({ state: 'failed', reason: 'rolled_back', reportedAt: 5 }))

  test.each([
    ['waiting', 'cancelled', 'removed'],
    ['downloading', 'failed', 'removed'],
    ['installing', 'failed', 'removed'],
    ['unknown', 'unknown', null],
    ['success', 'success', null],
  ] as const)('a gateway that is taken out while %s is %s', (state, after, reason) =>
    expect(foldUpgrade(from(state), target, { kind: 'removed', at: 5 })).toMatchObject({ state: after, reason }),
  )

  test.each([
    ['2.0.0', 'alreadyLatest'],
    ['2.0.1', 'currentNewer'],
    ['1.9.9', 'waiting'],
    [null, 'waiting'],
  ] as const)('a gateway with %s begins as %s', (reported, state) =>
    expect(newUpgrade(reported, target.version, 0).state).toBe(state),
  )
})

const stages: fc.Arbitrary<Stage[]> = fc.array(
  fc.oneof(
    fc.integer({ min: 1, max: 500 }).map((amount): Stage => ({ kind: 'count', amount })),
    fc.integer({ min: 1, max: 100 }).map((amount): Stage => ({ kind: 'percent', amount })),
  ),
  { maxLength: 8 },
)

describe('a campaign', () => {
  test('its stages grow and end with everybody', () =>
    fc.assert(
      fc.property(stages, fc.integer({ min: 1, max: 5_000 }), (list, total) => {
        const ends = stageEnds(list, total)
        expect(ends.at(-1)).toBe(total)
        for (let i = 1; i < ends.length; i++) expect(ends[i]).toBeGreaterThan(ends[i - 1] ?? 0)
        expect(ends[0]).toBeGreaterThan(0)
      }),
    ))

  test('one, a tenth, the rest', () => {
    const list: Stage[] = [
      { kind: 'count', amount: 1 },
      { kind: 'percent', amount: 10 },
    ]
    expect(stageEnds(list, 200)).toEqual([1, 20, 200])
    expect(stageEnds(list, 3)).toEqual([1, 3])
  })

  const facts = (upgrades: readonly UpgradeState[], more: Partial<CampaignFacts> = {}): CampaignFacts => ({
    state: 'running',
    ends: [1, upgrades.length],
    stage: 0,
    failureLimit: 10,
    forgiven: 0,
    upgrades,
    ...more,
  })
  const anyFacts = fc
    .tuple(
      fc.array(fc.constantFrom(...upgradeStates), { minLength: 2, maxLength: 30 }),
      fc.nat(5),
      fc.integer({ min: 0, max: 100 }),
    )
    .map(([upgrades, stage, failureLimit]) => {
      const ends = stageEnds(
        [
          { kind: 'count', amount: 1 },
          { kind: 'percent', amount: 30 },
        ],
        upgrades.length,
      )
      return facts(upgrades, { ends, stage: Math.min(stage, ends.length - 1), failureLimit })
    })

  test('never opens a stage while somebody of the open ones is under way, or past its limit', () =>
    fc.assert(
      fc.property(anyFacts, (given) => {
        if (campaignStep(given) !== 'nextStage') return
        const opened = given.upgrades.slice(0, given.ends[given.stage])
        expect(opened.some(isUpgrading)).toBe(false)
        expect(given.upgrades.filter(isBad).length * 100).toBeLessThanOrEqual(given.failureLimit * opened.length)
      }),
    ))

  test('a paused one does nothing by itself but end', () =>
    fc.assert(
      fc.property(anyFacts, (given) => {
        expect(['stay', 'done']).toContain(campaignStep({ ...given, state: 'paused' }))
      }),
    ))

  test('is done exactly when everybody has an outcome', () =>
    fc.assert(
      fc.property(anyFacts, (given) => {
        const step = campaignStep({ ...given, state: 'paused' })
        expect(step === 'done').toBe(given.upgrades.every(isSettled))
      }),
    ))

  test('pauses when the first gateway fails, and does not once a person let it go on', () => {
    expect(campaignStep(facts(['failed', 'waiting', 'waiting']))).toBe('pause')
    expect(campaignStep(facts(['failed', 'waiting', 'waiting'], { forgiven: 1 }))).toBe('nextStage')
  })
  test('a gateway that did not come back counts as a failure', () => {
    expect(campaignStep(facts(['unknown', 'waiting', 'waiting']))).toBe('pause')
  })
  test('who is offline delays no later stage once the image has worked', () => {
    const given = { ends: [2, 4], stage: 0 }
    expect(campaignStep(facts(['success', 'waiting', 'waiting', 'waiting'], given))).toBe('nextStage')
    expect(campaignStep(facts(['waiting', 'waiting', 'waiting', 'waiting'], given))).toBe('stay')
  })
  test('an aborted one ends when nobody is installing any more', () => {
    expect(campaignStep(facts(['installing', 'cancelled'], { state: 'aborted' }))).toBe('stay')
    expect(campaignStep(facts(['success', 'cancelled'], { state: 'aborted' }))).toBe('done')
  })
  test('a gateway with a command under way, or with somebody at its lines, is left alone', () => {
    const free = { running: true, opened: true, reachable: true, block: () => null, upgradingNow: 0 }
    expect(delayOf(free)).toBeNull()
    for (const block of ['busy', 'inspection', 'tagged'] as const) expect(delayOf({ ...free, block: () => block })).toBe(block)
    expect(delayOf({ ...free, running: false })).toBe('paused')
    expect(delayOf({ ...free, opened: false })).toBe('laterStage')
    expect(delayOf({ ...free, reachable: false })).toBe('offline')
    const unasked = () => {
      throw new Error('looked at every line of a gateway whose turn it is not')
    }
    expect(delayOf({ ...free, reachable: false, block: unasked })).toBe('offline')
    expect(delayOf({ ...free, upgradingNow: 50, block: unasked })).toBe('manyAtOnce')
  })

  test('a gateway that is ready and blocked by a tag keeps the next stage shut no longer; one that is busy, or whose stage is unproven, does', () => {
    const step = (block: 'tagged' | 'busy' | null, other: UpgradeState) =>
      campaignStep(facts([countsAs('ready', () => block), other, 'waiting', 'waiting'], { ends: [2, 4], stage: 0 }))
    expect(step('tagged', 'success')).toBe('nextStage')
    expect(step('tagged', 'waiting')).toBe('stay')
    expect(step('busy', 'success')).toBe('stay')
    expect(step(null, 'success')).toBe('stay')
    // What installs is under way whatever hangs there since.
    expect(countsAs('installing', () => 'tagged')).toBe('installing')
  })

  const running = { state: 'running', pausedBy: null, forgiven: 1, endedAt: null } as const
  const paused = { ...running, state: 'paused', pausedBy: 'failures' } as const
  const aborted = { ...running, state: 'aborted' } as const
  test.each([
    ['a running one', 'pause', running, { ...running, state: 'paused', pausedBy: 'person' }],
    ['a running one', 'goOn', running, running],
    ['a running one', 'abort', running, aborted],
    ['a paused one', 'pause', paused, paused],
    ['a paused one', 'goOn', paused, { ...running, forgiven: 3 }],
    ['a paused one', 'abort', paused, aborted],
    ['an aborted one', 'goOn', aborted, null],
    ['an aborted one', 'abort', aborted, null],
    ['one that ended', 'pause', { ...running, state: 'done', endedAt: 5 }, null],
  ] as const)('%s is steered by a person: %s', (_, act, before, after) => expect(steered(before, act, 3)).toEqual(after))
})
