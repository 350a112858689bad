import type { VirtualMeter } from '@linewarden/contract'
import { listVirtualMeters } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useCall } from '../../app/net/use-call.ts'
import { FilterSelect } from '../../ui/fields.tsx'

/** The virtual meters of a project, and the one that the address names; undefined: the project itself is counted. */
export function useVirtualMeter(houseId: number, isAsked: boolean) {
  const [query, setQuery] = useSearchParams()
  const { data } = useCall(listVirtualMeters, { query: { HouseID: houseId } }, { enabled: isAsked })
  const meters = data?.items ?? []
  const chosen = meters.find(({ MeterID }) => MeterID === Number(query.get('virtual')))
  const choose = (id: string) =>
    setQuery((before) => {
      if (id === '') before.delete('virtual')
      else before.set('virtual', id)
      return before
    })
  return { meters, chosen, choose }
}

/** Counts a virtual meter in place of the project, where it has any. */
export function MeterChoice(props: {
  meters: readonly VirtualMeter[]
  chosen: VirtualMeter | undefined
  choose: (id: string) => void
}) {
  const { meters, chosen, choose } = props
  const { t } = useTranslation('energy')
  if (meters.length === 0) return null
  return (
    <div className="list-bar">
      <FilterSelect
        label={t('wholeProject')}
        value={chosen ? String(chosen.MeterID) : ''}
        options={meters.map(({ MeterID, Name }) => ({ value: String(MeterID), label: Name }))}
        onChange={choose}
      />
    </div>
  )
}
