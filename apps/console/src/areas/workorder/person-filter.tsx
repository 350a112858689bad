import { workOrderPeople } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import { useSelection } from '../../plant/selection.ts'
import { FilterSelect } from '../../ui/fields.tsx'

/** Whose orders are shown: of whoever can be in charge in the project that the tree has selected. Without a project nobody is listed. */
export function PersonFilter({ value, onChange }: { value: string; onChange: (accountId: string) => void }) {
  const { t } = useTranslation('workOrders')
  const [selection] = useSelection()
  const house = 'house' in selection ? selection.house : selection.kind === 'house' ? selection.id : null
  const people = useCall(workOrderPeople, { query: { HouseID: house ?? 0 } }, { enabled: house !== null })
  if (house === null && value === '') return null
  const options = (people.data?.items ?? []).map(({ AccountID, Name }) => ({ value: AccountID, label: Name }))
  return <FilterSelect label={t('anyPerson')} value={value} options={options} onChange={onChange} />
}
