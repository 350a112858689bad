import { hourMs, minuteMs } from '@linewarden/equipment'
import type { LiveChange, ThreeVoltages } from '@linewarden/rules/warning'
import {
  defaultParams,
  foldNeutral,
  foldOffline,
  foldOvercurrent,
  foldPhaseLoss,
  neutral,
  newNeutralState,
  newOfflineState,
  newOvercurrentState,
  newPhaseLossState,
  offline,
  overcurrent,
  phaseLoss,
} from '@linewarden/rules/warning'
import type { Dice } from './dice.ts'
import { diceOf } from './dice.ts'

const periodMs = 10_000
const supplyV = 230
const ratedA = 63
const points = ['a', 'b', 'c'] as const
/** Deviation of a sample, as a share: ripple of the supply and steps of the sensor. */
const rippleShare = 0.003

export const liveDetectors = ['neutral', 'phaseLoss', 'overcurrent', 'offline'] as const
export type LiveDetector = (typeof liveDetectors)[number]

/** A line that reports every ten seconds, and what its live detectors raised. */
class WatchedLine {
  at = 0
  readonly raised: Record<LiveDetector, number> = { neutral: 0, phaseLoss: 0, overcurrent: 0, offline: 0 }
  readonly #states = {
    neutral: newNeutralState(),
    phaseLoss: newPhaseLossState(),
    overcurrent: points.map(newOvercurrentState),
    offline: newOfflineState(),
  }
  readonly #params = {
    neutral: defaultParams(neutral),
    phaseLoss: defaultParams(phaseLoss),
    overcurrent: defaultParams(overcurrent),
    offline: defaultParams(offline),
  }

  /** One sample, `afterMs` after the one before. */
  sees(volts: ThreeVoltages, amperes: ThreeVoltages, afterMs = periodMs): void {
    this.at += afterMs
    const { at } = this
    this.#count('neutral', [foldNeutral(this.#params.neutral, this.#states.neutral, { at, volts }, { periodMs })])
    const sample = { at, closed: true, volts, amperes }
    this.#count(
      'phaseLoss',
      foldPhaseLoss(this.#params.phaseLoss, this.#states.phaseLoss, sample, { supplyV, ratedA, points, periodMs }),
    )
    for (const [phase, point] of points.entries()) {
      const state = this.#states.overcurrent[phase] ?? newOvercurrentState()
      const phaseSample = { at, amperes: amperes[phase] ?? Number.NaN }
      this.#count('overcurrent', [
        foldOvercurrent(this.#params.overcurrent, state, phaseSample, { limitA: ratedA, point, periodMs }),
      ])
    }
    this.link('online')
  }

  link(link: 'online' | 'offline', afterMs = 0): void {
    this.at += afterMs
    this.#count('offline', [foldOffline(this.#params.offline, this.#states.offline, { at: this.at, link, periodMs })])
  }

  #count(detector: LiveDetector, changes: readonly (LiveChange | null)[]): void {
    for (const change of changes) if (change?.kind === 'raised') this.raised[detector]++
  }
}

const sound = (dice: Dice, volts = supplyV): ThreeVoltages => [
  ripple(dice, volts),
  ripple(dice, volts * 0.995),
  ripple(dice, volts * 1.004),
]
const ripple = (dice: Dice, value: number): number => value * (1 + rippleShare * dice.normal())
const loads = (dice: Dice, share: number): ThreeVoltages => [
  ripple(dice, ratedA * share),
  ripple(dice, ratedA * share),
  ripple(dice, ratedA * share),
]
const map = (three: ThreeVoltages, of: (value: number, phase: number) => number): ThreeVoltages => [
  of(three[0], 0),
  of(three[1], 1),
  of(three[2], 2),
]

/** What happens to a sound line in a year, and how often (ours, after EN 50160: some ten to a thousand sags, most of them short). */
const yearly = { sag: 40, swell: 8, outage: 4, motorStart: 60, tapChange: 20, linkLoss: 6 } as const

/** How often the live detectors raised something on sound lines: only what happens is simulated, with ten minutes of rest before each. */
export function liveFalseFindings(seed: number, lineYears: number): Readonly<Record<LiveDetector, number>> {
  const dice = diceOf(seed * 7_919)
  const total: Record<LiveDetector, number> = { neutral: 0, phaseLoss: 0, overcurrent: 0, offline: 0 }
  for (let line = 0; line < lineYears; line++) {
    const watched = new WatchedLine()
    for (const [kind, mean] of Object.entries(yearly))
      for (let left = dice.poisson(mean); left > 0; left--) {
        const volts = ripple(dice, supplyV) * dice.between(0.97, 1.03)
        for (let i = 0; i < 10; i++) watched.sees(sound(dice, volts), loads(dice, dice.between(0.1, 0.8)), minuteMs)
        disturb(kind as keyof typeof yearly, dice, watched, volts)
      }
    for (const detector of liveDetectors) total[detector] += watched.raised[detector]
  }
  return total
}

function disturb(kind: keyof typeof yearly, dice: Dice, watched: WatchedLine, volts: number): void {
  const load = dice.between(0.1, 0.8)
  // Most sags last less than a second; one in ten some tens of them.
  const samples = dice.chance(0.9) ? 1 : Math.ceil(dice.between(1, 6))
  const hit = map([0, 0, 0], () => Number(dice.chance(0.5)))
  // A deep one is a fault nearby, which its fuse clears at once.
  const depth = dice.between(samples > 1 ? 0.4 : 0, 0.9)
  const height = dice.between(1.1, 1.4)
  switch (kind) {
    case 'sag':
    case 'swell':
      for (let i = 0; i < samples; i++) {
        const factor = kind === 'sag' ? depth : height
        // What a phase carries goes with its voltage.
        watched.sees(
          map(sound(dice, volts), (own, phase) => (hit[phase] ? own * factor : own)),
          map(loads(dice, load), (own, phase) => (hit[phase] ? own * factor : own)),
        )
      }
      return
    case 'outage':
      for (let i = 0; i < 60 * dice.between(0.1, 2); i++) watched.sees([0, 0, 0], [0, 0, 0], minuteMs)
      return
    case 'motorStart':
      for (let i = 0; i < dice.between(1, 9); i++) watched.sees(sound(dice, volts * 0.95), loads(dice, dice.between(1, 6)))
      return
    case 'tapChange':
      for (let i = 0; i < 6; i++) watched.sees(sound(dice, volts * dice.between(0.96, 1.04)), loads(dice, load), minuteMs)
      return
    case 'linkLoss':
      watched.link('offline', minuteMs)
      watched.link('offline', dice.between(0.01, 5.9) * hourMs)
      watched.link('online')
      return
  }
}

const samplesIn = (seconds: number): number => Math.floor(seconds / (periodMs / 1_000))
/** After the delay of a detector, two of its samples may pass. */
const extraSamples = 2
/** A broken neutral that moves the phases apart less than this harms nobody. */
const harmfulRatio = 1.1
const neutralWithinS = 30

/** Puts faults of one kind into as many lines; answers the seconds until each was found, infinite where it was not in time. */
export function measureLiveFaults(kind: LiveDetector, seed: number, faults: number): readonly number[] {
  const dice = diceOf(seed * 104_729 + liveDetectors.indexOf(kind))
  const delays: number[] = []
  while (delays.length < faults) {
    const watched = new WatchedLine()
    for (let i = 0; i < 15; i++) watched.sees(sound(dice), loads(dice, dice.between(0.1, 0.5)), minuteMs)
    const fault = faultOf(kind, dice)
    if (!fault) continue
    let seconds = Number.POSITIVE_INFINITY
    for (let i = 1; i <= fault.samples && watched.raised[kind] === 0; i++) {
      if (kind === 'offline') watched.link('offline', periodMs)
      else watched.sees(...fault.sample())
      // The first sample of the fault is its beginning.
      if (watched.raised[kind] > 0) seconds = ((i - 1) * periodMs) / 1_000
    }
    delays.push(seconds)
  }
  return delays.sort((a, b) => a - b)
}

interface LiveFault {
  /** That may pass until it must be found. */
  readonly samples: number
  readonly sample: () => readonly [ThreeVoltages, ThreeVoltages]
}

function faultOf(kind: LiveDetector, dice: Dice): LiveFault | null {
  const lost = Math.floor(dice.between(0, 3))
  switch (kind) {
    case 'neutral': {
      const volts = floatingNeutral(dice)
      if (Math.max(...volts) / Math.min(...volts) <= harmfulRatio) return null
      return {
        samples: samplesIn(neutralWithinS) + 1,
        sample: () => [map(volts, (each) => ripple(dice, each)), loads(dice, 0.3)],
      }
    }
    case 'phaseLoss': {
      const backFed = dice.chance(0.5)
      const left = backFed ? dice.between(0.25, 0.75) : dice.between(0, 0.18)
      return {
        samples: samplesIn(backFed ? 10 : 3) + 1 + extraSamples,
        sample: () => [
          map(sound(dice), (own, phase) => (phase === lost ? own * left : own)),
          map(loads(dice, dice.between(0.2, 0.8)), (own, phase) => (phase === lost ? own * 0.01 : own)),
        ],
      }
    }
    case 'overcurrent': {
      const share = dice.between(1.03, 2)
      return {
        samples: samplesIn(600) + 1 + extraSamples,
        sample: () => [sound(dice), map(loads(dice, 0.5), (own, phase) => (phase === lost ? ripple(dice, ratedA * share) : own))],
      }
    }
    case 'offline':
      return { samples: samplesIn(6 * 3_600) + 1 + extraSamples, sample: () => [sound(dice), loads(dice, 0)] }
  }
}

/** Phase voltages behind a broken neutral: its point lies where the loads of the phases pull it. */
function floatingNeutral(dice: Dice): ThreeVoltages {
  const pulls = map([0, 0, 0], () => Math.exp(dice.normal()))
  const sum = pulls[0] + pulls[1] + pulls[2]
  const corner = (phase: number) =>
    [supplyV * Math.cos((2 * Math.PI * phase) / 3), supplyV * Math.sin((2 * Math.PI * phase) / 3)] as const
  const point = (axis: 0 | 1) => pulls.reduce((at, pull, phase) => at + (pull / sum) * corner(phase)[axis], 0)
  const [x, y] = [point(0), point(1)]
  return map([0, 0, 0], (_, phase) => Math.hypot(corner(phase)[0] - x, corner(phase)[1] - y))
}
