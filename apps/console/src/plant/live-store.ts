import type { DeviceLink, GatewayLink, LineState, LiveMessage } from '@linewarden/contract'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

type Listener = () => void

/** Called by its own name: browsers refuse a `setTimeout` that is called as somebody's method. */
const wait = (run: () => void, ms: number): void => {
  setTimeout(run, ms)
}

/** Who looks at all lines is told so often at most: a count over thousands of lines is not read faster. */
const overallEveryMs = 250

/**
 * The last reported state of every line, outside React: a value that arrives redraws its own row and nothing else. Changes are gathered
 * and told once per frame; whoever looks at all lines (counts, filters, the tree) is told four times a second, and at once when a gateway
 * came or went.
 */
export class LiveStore {
  readonly #lines = new Map<number, LineState>()
  readonly #links = new Map<number, GatewayLink>()
  readonly #deviceLinks = new Map<string, DeviceLink>()
  readonly #lineListeners = new Map<number, Set<Listener>>()
  readonly #linkListeners = new Set<Listener>()
  readonly #listeners = new Set<Listener>()
  readonly #changed = new Set<number>()
  /** When a line or gateway was last received live, in steps of `#step`. */
  readonly #receivedAt = new Map<string, number>()
  /** The same of lines, by this machine's clock. */
  readonly #liveAt = new Map<number, number>()
  readonly #nextFrame: (run: () => void) => void
  readonly #later: (run: () => void, ms: number) => void
  #scheduled = false
  #linksChanged = false
  /** All are told together; until the pause after it is over the next time waits. */
  #pausing = false
  #owed = false
  #version = 0
  #step = 0

  constructor(nextFrame: (run: () => void) => void, later: (run: () => void, ms: number) => void = wait) {
    this.#nextFrame = nextFrame
    this.#later = later
  }

  /** Grows whenever those who look at all lines are told. */
  get version(): number {
    return this.#version
  }

  line(id: number): LineState | undefined {
    return this.#lines.get(id)
  }

  /** When a line was last received live, Unix ms of this machine's clock; 0: never. */
  receivedAt(id: number): number {
    return this.#liveAt.get(id) ?? 0
  }

  link(gatewayId: number): GatewayLink | undefined {
    return this.#links.get(gatewayId)
  }

  /** Of a device with its gateway: away is what either of them is. */
  deviceLink(controllerId: string): DeviceLink | undefined {
    return this.#deviceLinks.get(controllerId)
  }

  /** To be taken before a snapshot is asked for. */
  mark(): number {
    return this.#step
  }

  /** Takes a snapshot; what was received live since it was asked for stays. */
  load(states: readonly LineState[], mark: number): void {
    for (const state of states) if (!this.#receivedSince(`l${state.LineID}`, mark)) this.#put(state)
    this.#schedule()
  }

  loadLinks(links: readonly (GatewayLink | DeviceLink)[], mark: number): void {
    for (const link of links) if (!this.#receivedSince(linkKey(link), mark)) this.#putLink(link)
    this.#linksChanged = true
    this.#schedule()
  }

  /** Forgets everything: another account may not see it. */
  clear(): void {
    this.#lines.clear()
    this.#links.clear()
    this.#deviceLinks.clear()
    this.#receivedAt.clear()
    this.#liveAt.clear()
    this.#linksChanged = true
    this.#schedule()
  }

  apply(messages: readonly LiveMessage[]): void {
    const now = Date.now()
    for (const message of messages) {
      if (message.t === 'line') {
        this.#put(message.state)
        this.#received(`l${message.state.LineID}`)
        this.#liveAt.set(message.state.LineID, now)
      } else if (message.t === 'gateway' || message.t === 'devices') {
        for (const link of message.t === 'gateway' ? [message.link] : message.links) {
          this.#putLink(link)
          this.#received(linkKey(link))
        }
        this.#linksChanged = true
      } else continue
      this.#schedule()
    }
  }

  subscribeLine(id: number, listener: Listener): () => void {
    const listeners = this.#lineListeners.get(id) ?? new Set()
    this.#lineListeners.set(id, listeners)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Told in the frame in which a gateway came or went. */
  subscribeLinks(listener: Listener): () => void {
    this.#linkListeners.add(listener)
    return () => this.#linkListeners.delete(listener)
  }

  /** Told of everything, four times a second at most. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #put(state: LineState): void {
    this.#lines.set(state.LineID, state)
    this.#changed.add(state.LineID)
  }

  #putLink(link: GatewayLink | DeviceLink): void {
    if ('ControllerID' in link) this.#deviceLinks.set(link.ControllerID, link)
    else this.#links.set(link.DeviceID, link)
  }

  #received(key: string): void {
    this.#step += 1
    this.#receivedAt.set(key, this.#step)
  }

  #receivedSince(key: string, mark: number): boolean {
    return (this.#receivedAt.get(key) ?? 0) > mark
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#nextFrame(() => {
      this.#scheduled = false
      for (const id of this.#changed) for (const listener of this.#lineListeners.get(id) ?? []) listener()
      this.#changed.clear()
      if (this.#linksChanged) for (const listener of this.#linkListeners) listener()
      if (this.#linksChanged || !this.#pausing) this.#notifyAll()
      else this.#owed = true
      this.#linksChanged = false
    })
  }

  #notifyAll(): void {
    this.#owed = false
    this.#version += 1
    for (const listener of this.#listeners) listener()
    if (this.#pausing) return
    this.#pausing = true
    this.#later(() => {
      this.#pausing = false
      if (this.#owed) this.#notifyAll()
    }, overallEveryMs)
  }
}

const linkKey = (link: GatewayLink | DeviceLink): string =>
  'ControllerID' in link ? `d${link.ControllerID}` : `g${link.DeviceID}`

/** A hidden tab draws no frames; its state must move on all the same. */
const nextFrame = (run: () => void): void => {
  if (document.hidden) setTimeout(run, 250)
  else requestAnimationFrame(run)
}

export const live = new LiveStore(nextFrame)

/** A line's state; the component redraws when it moves. */
export function useLine(id: number): LineState | undefined {
  const subscribe = useCallback((listener: Listener) => live.subscribeLine(id, listener), [id])
  return useSyncExternalStore(subscribe, () => live.line(id))
}

/** The same function each time: another one would be taken for another store, and every row would subscribe anew with every value. */
const subscribeLinks = (listener: Listener): (() => void) => live.subscribeLinks(listener)

/** A gateway's link; the component redraws when it changes, not with every frame in which anything moved. */
export const useLink = (gatewayId: number): GatewayLink | undefined =>
  useSyncExternalStore(subscribeLinks, () => live.link(gatewayId))

/** The same of a device. */
export const useDeviceLink = (controllerId: string): DeviceLink | undefined =>
  useSyncExternalStore(subscribeLinks, () => live.deviceLink(controllerId))

/** Redraws when anything moved, but at most every so often: for what looks at all lines. */
export function useLivePulse(everyMs = 500): number {
  const [pulse, setPulse] = useState(live.version)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    const redraw = () => {
      timer = undefined
      last = performance.now()
      setPulse(live.version)
    }
    const unsubscribe = live.subscribe(() => {
      timer ??= setTimeout(redraw, Math.max(0, everyMs - (performance.now() - last)))
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [everyMs])
  return pulse
}
