import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { serverNow } from '../../ui/use-now.ts'
import type { AddressPoint, HistoryAddress, Preset, TimeRange } from './address.ts'
import { pointsText, presets, readAddress } from './address.ts'

/** What the address says, the range that follows from it, and how a person changes either. */
export function useHistoryAddress() {
  const [query, setQuery] = useSearchParams()
  const address = useMemo(() => readAddress(query), [query])
  const [opened] = useState(thisSecond)
  /** When each preset was pressed: the range that is shown stays what it is until the address names the new one. */
  const [pressed, setPressed] = useState<Readonly<Partial<Record<Preset, number>>>>({})
  const now = (address.preset && pressed[address.preset]) ?? opened
  const range = useMemo(() => rangeOf(address, now), [address, now])
  const set = (change: Readonly<Record<string, string | null>>) =>
    setQuery(
      (before) => {
        for (const [name, value] of Object.entries(change))
          if (value === null) before.delete(name)
          else before.set(name, value)
        return before
      },
      { replace: true },
    )
  return {
    address,
    range,
    setPoints: (points: readonly AddressPoint[]) => set({ points: pointsText(points) }),
    setRange: ({ from, to }: TimeRange) => set({ from: String(from), to: String(to), last: null }),
    setPreset: (last: Preset) => {
      setPressed((before) => ({ ...before, [last]: thisSecond() }))
      set({ last, from: null, to: null })
    },
    setCompare: (compare: boolean) => set({ compare: compare ? '1' : null }),
  }
}

/** The range of the address; a preset counts back from the moment it was pressed, so that nothing moves under the hand. */
function rangeOf({ preset, range }: HistoryAddress, now: number): TimeRange {
  return range ?? { from: now - presets[preset ?? 'hour24'], to: now }
}

const thisSecond = (): number => Math.ceil(serverNow() / 1000) * 1000
