import type { InspectionRound } from '@linewarden/contract'
import { orderOfDefect } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { toast } from '../../app/notify/toasts.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { addTexts, localised } from '../../ui/i18n.ts'
import { useForm } from '../../ui/use-form.ts'
import { PersonField } from '../workorder/person-field.tsx'
import { workOrders } from '../workorder/texts.ts'
import type { Found } from './round-facts.ts'

addTexts({ workOrders })

/** Makes the order of a defect: its place, its words and its hazard come with it. */
export function DefectOrderDialog({ round, found, onClose }: { round: InspectionRound; found: Found; onClose: () => void }) {
  const { t } = useTranslation(['inspection', 'workOrders'])
  const [id] = useState(newId)
  const { stop, item, answer } = found
  const form = useForm({ PersonInCharge: '', Dispatch: true }, ({ PersonInCharge }) => ({
    PersonInCharge: PersonInCharge === '' ? t('workOrders:personMissing') : null,
  }))
  const { values } = form
  const send = async () => {
    if (!form.check()) return ''
    try {
      const { Number: number, Joined } = await change(orderOfDefect, {
        params: { RoundID: round.RoundID },
        body: {
          ...{ StopID: stop.StopID, ItemID: item.ItemID, ActID: id },
          ...{ PersonInCharge: values.PersonInCharge, Dispatch: values.Dispatch },
        },
      })
      toast('info', t(Joined ? 'orderJoined' : 'orderMade', { number }))
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('makeOrder')} submit={t('makeOrder')} onSubmit={send} onClose={onClose}>
      <p>
        <b>{localised(item.Text)}</b> · {stop.Name}
      </p>
      {answer.Note !== '' && <p className="mute">{answer.Note}</p>}
      <PersonField
        label={t('workOrders:person')}
        required
        houseId={round.HouseID}
        deviceId={stop.DeviceID}
        {...form.field('PersonInCharge')}
      />
      <label className="check-line">
        <input type="checkbox" checked={values.Dispatch} onChange={(press) => form.set('Dispatch', press.target.checked)} />
        {t('workOrders:dispatchAtOnce')}
      </label>
    </FormDialog>
  )
}
