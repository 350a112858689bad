import { workOrderPeople } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import type { FieldProps } from '../../ui/fields.tsx'
import { PickField } from '../../ui/pick-field.tsx'

/** Who can be in charge here, with how much each has on hand. */
export function PersonField({
  houseId,
  deviceId,
  ...field
}: FieldProps & {
  /** Null: no project is chosen yet. */
  houseId: number | null
  deviceId: number | null
  value: string
  onChange: (value: string) => void
}) {
  const { t } = useTranslation('workOrders')
  const people = useCall(
    workOrderPeople,
    { query: { HouseID: houseId ?? 0, ...(deviceId !== null && { DeviceID: deviceId }) } },
    { enabled: houseId !== null },
  )
  const options = (people.data?.items ?? []).map(({ AccountID, Name, JobName, Open, Overdue }) => ({
    value: AccountID,
    label: Name,
    note: [JobName, t('onHand', { count: Open }), ...(Overdue > 0 ? [t('lateCount', { count: Overdue })] : [])]
      .filter((part) => part !== '')
      .join(' · '),
  }))
  const isNobody = people.data !== undefined && options.length === 0
  return (
    <PickField
      {...field}
      hint={isNobody ? t('nobodyFits') : (field.hint ?? t('personHint'))}
      options={options}
      disabled={houseId === null}
      placeholder={t('choose')}
    />
  )
}
