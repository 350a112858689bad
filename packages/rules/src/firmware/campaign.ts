import type { UpgradeState } from './upgrade.ts'
import { isSettled, isUpgrading } from './upgrade.ts'

/** So many gateways, or so many per cent of all, counted from the first of the campaign. */
export type Stage = { readonly kind: 'count' | 'percent'; readonly amount: number }

/**
 * Where each stage of a campaign ends, as a count from its first gateway: growing, and the last one is all of them. A stage that would add
 * nobody falls away.
 */
export function stageEnds(stages: readonly Stage[], total: number): readonly number[] {
  const ends: number[] = []
  for (const { kind, amount } of [...stages, { kind: 'percent', amount: 100 } as const]) {
    const end = Math.min(total, kind === 'count' ? amount : Math.ceil((total * amount) / 100))
    if (end > (ends.at(-1) ?? 0)) ends.push(end)
  }
  return ends
}

export const campaignStates = ['running', 'paused', 'aborted', 'done'] as const
export type CampaignState = (typeof campaignStates)[number]

export interface CampaignFacts {
  readonly state: CampaignState
  readonly ends: readonly number[]
  /** Index of the stage that is open. */
  readonly stage: number
  /** More per cent of the opened gateways than this failed or unknown, and it pauses by itself. */
  readonly failureLimit: number
  /** Failures that a person knew of when letting it go on. */
  readonly forgiven: number
  /** In the campaign's order, each as it counts. */
  readonly upgrades: readonly UpgradeState[]
}

export type CampaignStep = 'stay' | 'pause' | 'nextStage' | 'done'

/** Whether an upgrade went wrong: a gateway that did not come back is no success either. */
export const isBad = (state: UpgradeState): boolean => state === 'failed' || state === 'unknown'

/** What a campaign does by itself now. */
export function campaignStep({ state, ends, stage, failureLimit, forgiven, upgrades }: CampaignFacts): CampaignStep {
  if (state === 'aborted') return upgrades.some(isUpgrading) ? 'stay' : 'done'
  if (state === 'done') return 'stay'
  const bad = upgrades.filter(isBad).length
  const opened = upgrades.slice(0, ends[stage] ?? 0)
  if (state === 'running' && bad > forgiven && (bad - forgiven) * 100 > failureLimit * opened.length) return 'pause'
  if (upgrades.every(isSettled)) return 'done'
  if (state === 'paused' || stage >= ends.length - 1 || opened.some(isUpgrading)) return 'stay'
  // Who cannot be reached holds nobody up, once the stage has shown that the image works.
  const own = opened.slice(stage === 0 ? 0 : (ends[stage - 1] ?? 0))
  const proven = own.every(isSettled) || own.some((each) => each === 'success')
  return proven ? 'nextStage' : 'stay'
}

export type CampaignAct = 'pause' | 'goOn' | 'abort'

interface Steerable {
  readonly state: CampaignState
  readonly pausedBy: 'person' | 'failures' | null
  readonly forgiven: number
  readonly endedAt: number | null
}

/** What a person makes of a campaign: the same when it is so already, null when there is nothing to steer. `failures`: those that they know of. */
export function steered<C extends Steerable>(campaign: C, act: CampaignAct, failures: number): C | null {
  const { state, endedAt } = campaign
  if (endedAt !== null || state === 'aborted') return null
  if (act === 'abort') return { ...campaign, state: 'aborted', pausedBy: null }
  if ((act === 'pause') === (state === 'paused')) return campaign
  if (act === 'pause') return { ...campaign, state: 'paused', pausedBy: 'person' }
  return { ...campaign, state: 'running', pausedBy: null, forgiven: failures }
}

/**
 * What blocks restarting a gateway: a command or a setting under way at one of its lines, an inspection, a tag.
 */
export type UpgradeBlock = 'busy' | 'inspection' | 'tagged'

/** Why a gateway is not offered its image, or not told to install it, at this moment. */
export const delays = ['paused', 'laterStage', 'offline', 'busy', 'inspection', 'tagged', 'manyAtOnce'] as const
export type Delay = (typeof delays)[number]

/** Why a gateway that waits is not offered its image at this moment; null: it may be. */
export function delayOf(facts: {
  readonly running: boolean
  readonly opened: boolean
  readonly reachable: boolean
  /** Asked last: it looks at every line. */
  readonly block: () => UpgradeBlock | null
  /** Of all campaigns, at this moment. */
  readonly upgradingNow: number
}): Delay | null {
  if (!facts.running) return 'paused'
  if (!facts.opened) return 'laterStage'
  if (!facts.reachable) return 'offline'
  return facts.upgradingNow >= maxAtOnce ? 'manyAtOnce' : facts.block()
}

/**
 * As what an upgrade counts where others take their turn: a tag may hang for weeks, and who is ready and blocked by one must neither keep the next
 * stage shut nor take up the room of others.
 */
export const countsAs = (state: UpgradeState, block: () => UpgradeBlock | null): UpgradeState =>
  state === 'ready' && block() === 'tagged' ? 'waiting' : state

/** Gateways that download or install at once: the others of a stage take their turn. */
export const maxAtOnce = 50
