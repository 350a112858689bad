import type { WorkOrder } from '@linewarden/contract'
import { queryWorkOrders } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import type { FieldProps } from '../../ui/fields.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { titleOf } from './order-words.ts'

const most = 200

/** Which order of the project this one repeats. */
export function DuplicateField({
  order,
  ...field
}: FieldProps & { order: WorkOrder; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('workOrders')
  const others = useCall(queryWorkOrders, { body: { HouseID: order.HouseID, Sort: '-CreatedAt', Size: most } })
  const options = (others.data?.items ?? [])
    .filter(({ OrderID, Status }) => OrderID !== order.OrderID && Status !== 'closed')
    .map((each) => ({ value: String(each.OrderID), label: each.Number, note: titleOf(each) }))
  return <PickField {...field} options={options} placeholder={t('choose')} />
}
