import type { OrderOutcome, WorkOrder } from '@linewarden/contract'
import { acceptWorkOrders, dispatchWorkOrders } from '@linewarden/contract'
import type { PersonAct } from '@linewarden/rules/workorder'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { TextArea } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { isUnverified } from './order-words.ts'
import { PersonField } from './person-field.tsx'

/** What one press does to several orders. */
export type SeveralAct = Extract<PersonAct, 'dispatch' | 'accept'>

/** Asks once what an act needs for all of them, and carries it out on each as it was seen when it was asked. */
export function SeveralDialog({
  act,
  orders,
  onDone,
  onClose,
}: {
  act: SeveralAct
  orders: readonly WorkOrder[]
  onDone: (outcomes: readonly OrderOutcome[]) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['workOrders', 'app'])
  const [ActID] = useState(newId)
  const [asked] = useState(orders)
  const needsReason = act === 'dispatch' ? asked.some(({ Status }) => Status === 'dispatched') : asked.some(isUnverified)
  const form = useForm({ Person: '', Reason: '' }, ({ Person, Reason }) => ({
    Person: act === 'dispatch' && Person === '' ? t('personMissing') : null,
    Reason: needsReason && Reason.trim() === '' ? t('app:reasonMissing') : null,
  }))
  const send = async () => {
    if (!form.check()) return ''
    const Orders = asked.map(({ OrderID, Version }) => ({ OrderID, Version }))
    const { Person } = form.values
    const Reason = form.values.Reason.trim()
    try {
      const { items } =
        act === 'dispatch'
          ? await change(dispatchWorkOrders, {
              body: { ActID, Orders, PersonInCharge: Person, ...(Reason !== '' && { Reason }) },
            })
          : await change(acceptWorkOrders, { body: { ActID, Orders, ...(Reason !== '' && { Unverified: Reason }) } })
      onDone(items)
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const [first] = asked
  const explains = act === 'accept' && needsReason ? 'unverified' : act
  return (
    <FormDialog
      title={t(act === 'dispatch' ? 'dispatchSeveral' : 'acceptSeveral', { count: asked.length })}
      submit={t(`acts.${act}`)}
      onSubmit={send}
      onClose={onClose}
    >
      <p className="mute">{t(`explains.${explains}`)}</p>
      {act === 'dispatch' && (
        <PersonField houseId={first?.HouseID ?? null} deviceId={null} label={t('person')} required {...form.field('Person')} />
      )}
      {needsReason && <TextArea label={t('app:reason')} maxLength={500} rows={2} required {...form.field('Reason')} />}
    </FormDialog>
  )
}
