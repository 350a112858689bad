import { eventDetails, getHazard, insertWorkOrder, placeNames } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import type { OrderType } from '@linewarden/rules/workorder'
import { orderTypes, reminderDaysRange, validDaysRange } from '@linewarden/rules/workorder'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { toast } from '../../app/notify/toasts.tsx'
import { useLineRefs, useProjects, useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { Segments, SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Mark } from '../../ui/mark.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { Place } from '../../ui/place.tsx'
import type { Form } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { DaysFields } from './days-fields.tsx'
import type { OrderOrigin } from './order-origin.ts'
import { ofAlarm, ofHazard } from './order-origin.ts'
import { placeChosen, targetOf } from './order-target.ts'
import { PersonField } from './person-field.tsx'
import { useOrderRules } from './use-order-rules.ts'

/** A new order: of an alarm or a hazard with its fields filled in, or of a place. */
export function OrderForm({
  of,
  onMade,
  onClose,
}: {
  /** `place`, the number of an alarm, or `h` and that of a hazard. */
  of: string
  onMade: (orderId: number) => void
  onClose: () => void
}) {
  const { t } = useTranslation('workOrders')
  const [isPlace, isHazard] = [of === 'place', of.startsWith('h')]
  const event = useCall(eventDetails, { params: { EventID: isPlace || isHazard ? '0' : of } }, { enabled: !isPlace && !isHazard })
  const hazard = useCall(getHazard, { params: { HazardID: Number(of.slice(1)) || 1 } }, { enabled: isHazard })
  const query = isHazard ? hazard : event
  if (!isPlace && !query.data)
    return (
      <Dialog label={t('add')} onClose={onClose}>
        <h2>{t('add')}</h2>
        <div className="content">
          <Unloaded query={query} />
        </div>
        <CloseFoot onClose={onClose} />
      </Dialog>
    )
  return (
    <Writing
      origin={isPlace ? null : isHazard && hazard.data ? ofHazard(hazard.data.Hazard) : event.data ? ofAlarm(event.data) : null}
      onMade={onMade}
      onClose={onClose}
    />
  )
}

interface Values {
  readonly HouseID: string
  readonly Place: string
  readonly Type: OrderType
  readonly Title: string
  readonly Description: string
  readonly Priority: Priority
  readonly PersonInCharge: string
  readonly ValidDays: string
  readonly ReminderDays: string
  readonly WorkingDaysOnly: boolean
  readonly Dispatch: boolean
}

function Writing({
  origin,
  onMade,
  onClose,
}: {
  origin: OrderOrigin | null
  onMade: (orderId: number) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['workOrders', 'app'])
  const [id] = useState(newId)
  const made = useRef<number | null>(null)
  const [selection] = useSelection()
  const houses = (useTree().data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const rules = useOrderRules()
  const only = houses.length === 1 ? String(houses[0]?.HouseID) : ''
  const form = useForm<Values>(
    {
      ...{ HouseID: origin ? String(origin.houseId) : placeChosen(selection).house || only, Place: placeChosen(selection).place },
      ...{ Type: 'repair', Title: '', Description: origin?.description ?? '', Priority: origin?.priority ?? 'medium' },
      ...{ PersonInCharge: '', ValidDays: String(validDaysRange.usual), ReminderDays: String(reminderDaysRange.usual) },
      ...{ WorkingDaysOnly: false, Dispatch: true },
    },
    (values) => ({
      ...rules(values),
      HouseID: values.HouseID === '' && only === '' ? t('projectMissing') : null,
      PersonInCharge: values.PersonInCharge === '' ? t('personMissing') : null,
    }),
  )
  const { values } = form
  // One project alone is chosen without being asked for, also where it became known after the form.
  const houseId = Number(values.HouseID || only) || null
  const save = async () => {
    if (!form.check() || houseId === null) return ''
    try {
      const { Order, Joined } = await change(insertWorkOrder, {
        body: {
          ...{ HouseID: houseId, ActID: id, Type: values.Type, Title: values.Title.trim() },
          ...{ Description: values.Description.trim(), Priority: values.Priority, PersonInCharge: values.PersonInCharge },
          ...(origin ? origin.target : targetOf(values.Place)),
          ...{ ValidDays: Number(values.ValidDays), ReminderDays: Number(values.ReminderDays) },
          ...{ WorkingDaysOnly: values.WorkingDaysOnly, Dispatch: values.Dispatch },
        },
      })
      if (Joined) toast('info', t('joined', { number: Order.Number }))
      made.current = Order.OrderID
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog
      title={t('add')}
      submit={t(values.Dispatch ? 'createAndDispatch' : 'create')}
      wide
      onSubmit={save}
      // What was made is opened by the one step that closes the form: of two at once the address would take the last alone.
      onClose={() => (made.current === null ? onClose() : onMade(made.current))}
    >
      {origin ? <MadeFrom origin={origin} /> : <PlaceFields form={form} houseId={houseId} />}
      <Segments
        label={t('type')}
        value={values.Type}
        options={orderTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
        onChange={(type) => form.set('Type', type)}
      />
      <TextField label={t('orderTitle')} hint={t('titleHint')} maxLength={120} {...form.field('Title')} />
      <TextArea label={t('description')} maxLength={2_000} required {...form.field('Description')} />
      <div className="form-grid">
        <SelectField
          label={t('priority')}
          hint={t(`targets.${values.Priority}`)}
          value={values.Priority}
          options={priorities.map((value) => ({ value, label: t(`priorities.${value}`) }))}
          onChange={(value) => form.set('Priority', priorities.find((each) => each === value) ?? values.Priority)}
        />
        <PersonField
          label={t('person')}
          required
          houseId={houseId}
          deviceId={origin ? origin.deviceId : (targetOf(values.Place).DeviceID ?? null)}
          {...form.field('PersonInCharge')}
        />
      </div>
      <DaysFields form={form} />
      <label className="check-line">
        <input type="checkbox" checked={values.Dispatch} onChange={(press) => form.set('Dispatch', press.target.checked)} />
        {t('dispatchAtOnce')}
      </label>
    </FormDialog>
  )
}

/** What it is made from. */
function MadeFrom({ origin }: { origin: OrderOrigin }) {
  return (
    <p className="order-of">
      <Mark kind={origin.mark} />
      <b>{origin.label}</b>
      <Place names={placeNames(origin.where)} between=" › " /> <LineTag lineId={origin.lineId} />
    </p>
  )
}

/** Where it is: a project, and in it what of it. */
function PlaceFields({ form, houseId }: { form: Form<Values>; houseId: number | null }) {
  const { t } = useTranslation(['workOrders', 'app'])
  const houses = (useTree().data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const { projects } = useProjects(houseId === null ? [] : [houseId])
  const lines = useLineRefs(projects)
  const gateways = [...new Map(lines.map(({ gateway }) => [gateway.DeviceID, gateway])).values()]
  const places = [
    ...lines.map(({ line, device, gateway }) => ({
      value: `${gateway.DeviceID}/${device.ControllerID}/${line.LineNo}`,
      label: line.LineName,
      note: gateway.GatewayName,
    })),
    ...gateways.map(({ DeviceID, GatewayName }) => ({ value: String(DeviceID), label: GatewayName, note: t('gateway') })),
  ]
  return (
    <div className="form-grid">
      <PickField
        label={t('app:project')}
        required
        options={houses.map(({ HouseID: id, Name }) => ({ value: String(id), label: Name }))}
        value={houseId === null ? '' : String(houseId)}
        error={form.errorOf('HouseID')}
        onChange={(value) => {
          form.set('HouseID', value)
          form.set('Place', '')
          form.set('PersonInCharge', '')
        }}
      />
      <PickField
        label={t('lineOrGateway')}
        hint={t('placeHint')}
        options={places}
        disabled={houseId === null}
        {...form.field('Place')}
      />
    </div>
  )
}
