import type { WorkOrder } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import type { TFunction } from 'i18next'
import { momentText } from '../../ui/moment-text.ts'
import type { TableColumn } from '../../ui/table-column.ts'
import { titleOf } from './order-words.ts'

/** What a file of orders says of each; instants on the clock of its project. */
export function orderColumns(t: TFunction<['workOrders', 'app']>): readonly TableColumn<WorkOrder>[] {
  const column = (key: string, head: string, text: (order: WorkOrder) => string | number | null): TableColumn<WorkOrder> => ({
    ...{ key, head, text },
    cell: text,
  })
  const time = (name: 'AlarmTime' | 'DispatchTime' | 'TakenAt' | 'DealTime') => (order: WorkOrder) => {
    const at = order[name]
    return at === null ? null : momentText('minute', civilZone(order.TimeZone).wallAt(at))
  }
  return [
    column('Number', t('number'), (order) => order.Number),
    column('Type', t('type'), ({ Type }) => t(`types.${Type}`)),
    column('Title', t('orderTitle'), titleOf),
    column('Where', t('lineOrGateway'), ({ Where }) => placeNames(Where).join(' / ')),
    column('Description', t('description'), ({ Description }) => Description),
    column('Priority', t('priority'), ({ Priority }) => t(`priorities.${Priority}`)),
    column('Status', t('status'), ({ Status }) => t(`statuses.${Status}`)),
    column('Person', t('person'), ({ PersonInCharge }) => PersonInCharge?.Name ?? null),
    column('Founder', t('founder'), ({ Founder }) => Founder.Name),
    column('AlarmTime', t('alarmTime'), time('AlarmTime')),
    column('DispatchTime', t('dispatchTime'), time('DispatchTime')),
    column('TakenAt', t('takenAt'), time('TakenAt')),
    column('DealTime', t('dealTime'), time('DealTime')),
    column('DueDay', t('dueDay'), ({ DueDay }) => DueDay),
    column('Cause', t('cause'), ({ Cause }) => Cause),
    column('Done', t('done'), ({ Done }) => Done),
    column('Parts', t('parts'), ({ Parts }) => Parts),
    column('Labour', t('labour'), ({ LabourMin }) => LabourMin),
  ]
}
