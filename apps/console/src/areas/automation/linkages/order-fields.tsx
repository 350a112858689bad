import { workOrderPeople } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../app/net/use-call.ts'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { paths } from '../../../paths.ts'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { PickField } from '../../../ui/pick-field.tsx'
import type { ProblemOf } from './condition-editor.tsx'
import type { ActionValues } from './form-values.ts'

/** The work order that a linkage has made: how it is called, how urgent it is, and who gets it. */
export function OrderFields({
  values,
  path,
  houseId,
  problemOf,
  onChange,
}: {
  values: ActionValues
  path: string
  houseId: number
  problemOf: ProblemOf
  onChange: (change: Partial<ActionValues>) => void
}) {
  const { t } = useTranslation('linkageForm')
  const mayOrder = useMayOpen(paths.workOrders)
  const people = useCall(workOrderPeople, { query: { HouseID: houseId } }, { enabled: mayOrder }).data?.items ?? []
  return (
    <div className="action-order">
      <TextField
        label={t('orderTitle')}
        value={values.Title}
        onChange={(Title) => onChange({ Title })}
        maxLength={120}
        placeholder={t('orderTitleHint')}
        error={problemOf(`${path}.Order.Title`)}
      />
      <SelectField
        label={t('orderPriority')}
        value={values.Priority}
        options={priorities.map((value) => ({ value, label: t(`priorities.${value}`) }))}
        onChange={(Priority) => onChange({ Priority: Priority as ActionValues['Priority'] })}
      />
      <PickField
        label={t('orderPerson')}
        value={values.Person}
        options={[
          { value: '', label: t('orderNobody') },
          ...people.map(({ AccountID, Name, JobName }) => ({ value: AccountID, label: Name, note: JobName })),
          ...(values.Person !== '' && !people.some(({ AccountID }) => AccountID === values.Person)
            ? [{ value: values.Person, label: values.PersonName || '–' }]
            : []),
        ]}
        onChange={(Person) => onChange({ Person })}
        error={problemOf(`${path}.Order.PersonInCharge`)}
      />
    </div>
  )
}
