import type { CivilDay } from '@linewarden/rules/automation'
import { dateText } from '@linewarden/rules/automation'
import { useSearchParams } from 'react-router'
import type { EnergyAddress } from './period.ts'
import { readAddress } from './period.ts'

/** Unit, period and comparison, held by the address. */
export function useEnergyAddress(today: CivilDay) {
  const [query, setQuery] = useSearchParams()
  const address = readAddress(query, today)
  const go = (to: Partial<EnergyAddress>) =>
    setQuery((before) => {
      const { unit, day, compare } = { ...readAddress(before, today), ...to }
      before.set('unit', unit)
      before.set('day', dateText(day))
      if (compare === null) before.delete('compare')
      else before.set('compare', compare)
      return before
    })
  return [address, go] as const
}
