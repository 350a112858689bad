import { compareVersions } from './version.ts'

/**
 * Where one gateway stands in its upgrade. `ready`: it holds the image, has checked it, and waits until nothing is under way on its lines.
 * Outcomes are made by the version it reports after its restart, never by what it says it is doing.
 */
export const upgradeStates = [
  'waiting',
  'offered',
  'downloading',
  'ready',
  'installing',
  'success',
  'failed',
  'alreadyLatest',
  'currentNewer',
  'unknown',
  'cancelled',
] as const
export type UpgradeState = (typeof upgradeStates)[number]

/** Without an outcome yet. A gateway has one such upgrade at most. */
export const unsettledStates = ['waiting', 'offered', 'downloading', 'ready', 'installing'] as const

/** Why an upgrade failed. The first are what a gateway may say; the others are what its silence or its version says. */
export const gatewayUpgradeRefusals = [
  'bad_signature',
  'bad_hash',
  'wrong_model',
  'no_space',
  'install_failed',
  'already_latest',
  'current_newer',
] as const
export type GatewayUpgradeRefusal = (typeof gatewayUpgradeRefusals)[number]
export type UpgradeReason = GatewayUpgradeRefusal | 'no_answer' | 'stalled' | 'rolled_back' | 'silent' | 'removed'

export interface UpgradeLife {
  readonly state: UpgradeState
  /** The most bytes it ever said it holds. */
  readonly got: number
  /** Offers since it last got further. */
  readonly tries: number
  readonly reason: UpgradeReason | null
  /** Unix ms: since when it is in this state, and when it last reported something about the upgrade. */
  readonly since: number
  readonly reportedAt: number | null
}

export type UpgradeFact = { readonly at: number } & (
  | { readonly kind: 'offered' | 'ready' | 'installing' | 'deferred' | 'cancelled' | 'removed' | 'tick' }
  /** It was to install, and has not been told so: something came that it must not restart under. */
  | { readonly kind: 'notLet' }
  /** It asked for the bytes from here on: it holds those before. */
  | { readonly kind: 'asked'; readonly offset: number }
  | { readonly kind: 'refused'; readonly reason: GatewayUpgradeRefusal }
  /** It was born and said what it runs. `restarted`: in a new session, not because it was asked to say it again. */
  | { readonly kind: 'reported'; readonly version: string | null; readonly restarted: boolean }
)

export const offerAnswerMs = 60_000
export const stalledMs = 5 * 60_000
/** A gateway that is not back after this is unknown; it may come back all the same. */
export const silentMs = 30 * 60_000
export const maxTries = 3

const unsettled: ReadonlySet<UpgradeState> = new Set(unsettledStates)

/** Whether the gateway is busy with it. */
export const isUpgrading = (state: UpgradeState): boolean => unsettled.has(state) && state !== 'waiting'
/** Whether it has an outcome. An unknown one may still be learnt. */
export const isSettled = (state: UpgradeState): boolean => !unsettled.has(state)
/** Whether facts can still change it. */
export const isUpgradeOpen = (state: UpgradeState): boolean => unsettled.has(state) || state === 'unknown'

/** Whether it was never offered. */
export const isUntouched = ({ state, tries, got }: Pick<UpgradeLife, 'state' | 'tries' | 'got'>): boolean =>
  state === 'waiting' && tries === 0 && got === 0

/** A gateway at the beginning of a campaign: one that needs no upgrade is not touched. */
export function newUpgrade(reported: string | null, target: string, at: number): UpgradeLife {
  const order = compareVersions(reported, target)
  const state = order === null || order < 0 ? 'waiting' : order === 0 ? 'alreadyLatest' : 'currentNewer'
  return { state, got: 0, tries: 0, reason: null, since: at, reportedAt: null }
}

/** One fact folded into the life of an upgrade; the same object when it changes nothing. */
export function foldUpgrade(
  life: UpgradeLife,
  target: { readonly version: string; readonly size: number },
  fact: UpgradeFact,
): UpgradeLife {
  const { state } = life
  if (!isUpgradeOpen(state)) return life
  const to = (next: UpgradeState, more: Partial<UpgradeLife> = {}): UpgradeLife => ({
    ...life,
    reason: null,
    ...more,
    state: next,
    since: next === state ? life.since : fact.at,
  })
  /** Once more from where it was, unless it got no further too often. */
  const again = (reason: UpgradeReason) => (life.tries >= maxTries ? to('failed', { reason }) : to('waiting'))
  switch (fact.kind) {
    case 'offered':
      return state === 'waiting' ? to('offered', { tries: life.tries + 1 }) : life
    case 'asked': {
      if (state !== 'offered' && state !== 'downloading' && state !== 'ready') return life
      const further = fact.offset > life.got
      return to('downloading', {
        got: further ? Math.min(fact.offset, target.size) : life.got,
        tries: further ? 0 : life.tries,
        reportedAt: fact.at,
      })
    }
    case 'ready':
      if (state === 'ready') return { ...life, reportedAt: fact.at }
      return state === 'offered' || state === 'downloading' ? to('ready', { got: target.size, reportedAt: fact.at }) : life
    case 'installing':
      return state === 'ready' ? to('installing') : life
    case 'notLet':
      return state === 'installing' ? to('ready') : life
    case 'refused':
      if (!isUpgrading(state)) return life
      if (fact.reason === 'already_latest') return to('alreadyLatest', { reportedAt: fact.at })
      if (fact.reason === 'current_newer') return to('currentNewer', { reportedAt: fact.at })
      return to('failed', { reason: fact.reason, reportedAt: fact.at })
    case 'reported':
      return reported()
    case 'deferred':
      return state === 'offered' || state === 'downloading' || state === 'ready' ? to('waiting', { tries: 0 }) : life
    case 'cancelled':
      return state === 'waiting' || (isUpgrading(state) && state !== 'installing') ? to('cancelled') : life
    case 'removed':
      return state === 'unknown' ? life : to(isUpgrading(state) ? 'failed' : 'cancelled', { reason: 'removed' })
    case 'tick':
      return ticked()
  }

  function reported(): UpgradeLife {
    if (fact.kind !== 'reported') return life
    const order = compareVersions(fact.version, target.version)
    if (order === 0) return to(isUntouched(life) ? 'alreadyLatest' : 'success', { reportedAt: fact.at })
    if (order !== null && order > 0) return to('currentNewer', { reportedAt: fact.at })
    // What it reported before its restart is over: it is asked again, and goes on from what it kept.
    if (!fact.restarted || state === 'waiting') return life
    if (state === 'unknown') return to('failed', { reason: 'rolled_back', reportedAt: fact.at })
    return again(state === 'installing' ? 'rolled_back' : 'stalled')
  }

  function ticked(): UpgradeLife {
    const quiet = fact.at - Math.max(life.since, life.reportedAt ?? 0)
    if (state === 'offered' && quiet > offerAnswerMs) return again('no_answer')
    if (state === 'downloading' && quiet > stalledMs) return again('stalled')
    if (state === 'installing' && fact.at - life.since > silentMs) return to('unknown', { reason: 'silent' })
    return life
  }
}
