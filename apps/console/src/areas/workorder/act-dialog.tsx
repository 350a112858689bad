import type { WorkOrder } from '@linewarden/contract'
import {
  acceptWorkOrders,
  closeWorkOrder,
  declineWorkOrder,
  dispatchWorkOrders,
  pauseWorkOrder,
  processWorkOrder,
  reopenWorkOrder,
  returnWorkOrder,
} from '@linewarden/contract'
import type { CloseReason, PauseReason, PersonAct } from '@linewarden/rules/workorder'
import { closeReasons, pauseReasons } from '@linewarden/rules/workorder'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { dayTime, dayTimeIn } from '../../ui/format.ts'
import { MomentField } from '../../ui/moment-field.tsx'
import type { Validate } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'
import { DuplicateField } from './duplicate-field.tsx'
import { isUnverified } from './order-words.ts'
import { PersonField } from './person-field.tsx'

interface Values {
  readonly Person: string
  readonly Reason: string
  readonly Cause: string
  readonly Done: string
  readonly Parts: string
  readonly LabourMin: string
  readonly Why: string
  readonly DuplicateOf: string
  readonly Until: string
}

type Asked = Exclude<PersonAct, 'take'>

/** Which fields each act asks for. */
const fields: Readonly<Record<Asked, readonly (keyof Values)[]>> = {
  dispatch: ['Person', 'Reason'],
  decline: ['Reason'],
  pause: ['Why', 'Until', 'Reason'],
  resume: [],
  process: ['Cause', 'Done', 'Parts', 'LabourMin'],
  return: ['Reason'],
  accept: ['Reason'],
  close: ['Why', 'DuplicateOf', 'Reason'],
  reopen: ['Reason'],
}

const dayMs = 86_400_000

/** Asks what an act needs, and carries it out once. */
export function ActDialog({ order, act, onClose }: { order: WorkOrder; act: PersonAct; onClose: () => void }) {
  return act === 'take' ? null : <AskedAct order={order} act={act} onClose={onClose} />
}

function AskedAct({ order, act, onClose }: { order: WorkOrder; act: Asked; onClose: () => void }) {
  const { t } = useTranslation(['workOrders', 'app'])
  const [id] = useState(newId)
  // As it was read when it was begun: the order is read again behind it, and this act was meant for what was seen then.
  const [version] = useState(order.Version)
  const form = useForm<Values>(startOf(order), useValidate(order, act))
  const { values } = form
  const asks = (name: keyof Values) => fields[act].includes(name)
  const send = async () => {
    if (!form.check()) return ''
    try {
      await carryOut({ OrderID: order.OrderID, Version: version, ActID: id }, act, values)
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const unverified = act === 'accept' && isUnverified(order)
  const showsReason = asks('Reason') && (act !== 'accept' || unverified) && (act !== 'dispatch' || order.Status === 'dispatched')
  return (
    <FormDialog title={`${t(`acts.${act}`)} · ${order.Number}`} submit={t(`acts.${act}`)} onSubmit={send} onClose={onClose}>
      <p className="mute">{unverified ? t('explains.unverified') : t(`explains.${act}`)}</p>
      {asks('Person') && (
        <PersonField houseId={order.HouseID} deviceId={order.DeviceID} label={t('person')} required {...form.field('Person')} />
      )}
      {asks('Cause') && (
        <TextArea label={t('cause')} hint={t('causeHint')} maxLength={1_000} rows={2} required {...form.field('Cause')} />
      )}
      {asks('Done') && <TextArea label={t('done')} hint={t('doneHint')} maxLength={2_000} required {...form.field('Done')} />}
      {asks('Parts') && <TextField label={t('parts')} maxLength={500} {...form.field('Parts')} />}
      {asks('LabourMin') && (
        <TextField label={t('labour')} unit={t('minutes')} inputMode="numeric" maxLength={5} {...form.field('LabourMin')} />
      )}
      {asks('Why') && (
        <SelectField
          label={t('why')}
          placeholder={t('choose')}
          options={(act === 'pause' ? pauseReasons : closeReasons).map((value) => ({ value, label: t(`whys.${value}`) }))}
          required
          {...form.field('Why')}
        />
      )}
      {asks('DuplicateOf') && values.Why === 'duplicate' && (
        <DuplicateField order={order} label={t('duplicateOf')} required {...form.field('DuplicateOf')} />
      )}
      {asks('Until') && (
        <MomentField kind="minute" label={t('pauseUntil')} hint={t('pauseHint')} required {...form.field('Until')} />
      )}
      {showsReason && (
        <TextArea label={t('app:reason')} maxLength={500} rows={2} required={act !== 'pause'} {...form.field('Reason')} />
      )}
    </FormDialog>
  )
}

const startOf = ({ PersonInCharge, Status }: WorkOrder): Values => ({
  Person: Status === 'undispatched' ? (PersonInCharge?.AccountID ?? '') : '',
  ...{ Reason: '', Cause: '', Done: '', Parts: '', LabourMin: '', Why: '', DuplicateOf: '' },
  Until: dayTime(serverNow() + dayMs),
})

function useValidate(order: WorkOrder, act: Asked): Validate<Values> {
  const { t } = useTranslation(['workOrders', 'app'])
  const needsReason =
    ['decline', 'return', 'close', 'reopen'].includes(act) ||
    (act === 'dispatch' && order.Status === 'dispatched') ||
    (act === 'accept' && isUnverified(order))
  return (values) => {
    const missing = (name: keyof Values, text: string) => (fields[act].includes(name) && values[name].trim() === '' ? text : null)
    return {
      Person: missing('Person', t('personMissing')),
      Reason: needsReason ? missing('Reason', t('app:reasonMissing')) : null,
      Cause: missing('Cause', t('causeMissing')),
      Done: missing('Done', t('doneMissing')),
      LabourMin: values.LabourMin.trim() === '' || /^\d{1,5}$/.test(values.LabourMin.trim()) ? null : t('numberWrong'),
      Why: missing('Why', t('whyMissing')),
      DuplicateOf: values.Why === 'duplicate' ? missing('DuplicateOf', t('duplicateMissing')) : null,
      Until: act === 'pause' && !(dayTimeIn(values.Until) > serverNow()) ? t('untilWrong') : null,
    }
  }
}

function carryOut(
  asked: { readonly OrderID: number; readonly Version: number; readonly ActID: string },
  act: Asked,
  values: Values,
): Promise<unknown> {
  const { OrderID, Version, ActID } = asked
  const Reason = values.Reason.trim()
  switch (act) {
    case 'dispatch':
      return change(dispatchWorkOrders, {
        body: { ActID, Orders: [{ OrderID, Version }], PersonInCharge: values.Person, ...(Reason !== '' && { Reason }) },
      })
    case 'decline':
      return change(declineWorkOrder, { body: { ...asked, Reason } })
    case 'pause':
      return change(pauseWorkOrder, {
        body: { ...asked, Until: dayTimeIn(values.Until), Why: values.Why as PauseReason, Reason },
      })
    case 'resume':
      return change(pauseWorkOrder, { body: { ...asked, Until: null } })
    case 'process': {
      const labour = values.LabourMin.trim()
      const written = { Cause: values.Cause.trim(), Done: values.Done.trim(), Parts: values.Parts.trim() }
      return change(processWorkOrder, { body: { ...asked, ...written, ...(labour !== '' && { LabourMin: Number(labour) }) } })
    }
    case 'return':
      return change(returnWorkOrder, { body: { ...asked, Reason } })
    case 'accept':
      return change(acceptWorkOrders, {
        body: { ActID, Orders: [{ OrderID, Version }], ...(Reason !== '' && { Unverified: Reason }) },
      })
    case 'close':
      return change(closeWorkOrder, {
        body: {
          ...{ ...asked, Why: values.Why as CloseReason, Reason },
          ...(values.Why === 'duplicate' && { DuplicateOf: Number(values.DuplicateOf) }),
        },
      })
    case 'reopen':
      return change(reopenWorkOrder, { body: { ...asked, Reason } })
  }
}
