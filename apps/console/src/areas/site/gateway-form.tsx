import type { GatewayRecord } from '@linewarden/contract'
import { addGateway, gatewayNumber, proposeNumbers } from '@linewarden/contract'
import { deviceTypes, dockingPlatforms, isImei } from '@linewarden/rules/site'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { NoChoice } from '../../app/net/no-choice.tsx'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import type { Form } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { useProjectNames } from './queries.ts'

type Method = Exclude<GatewayRecord['AddMethod'], 'batch'>
const methods: readonly Method[] = ['manual', 'scan', 'auto']
const oneOf = <V extends string>(values: readonly V[], text: string): V | '' => values.find((each) => each === text) ?? ''

interface GatewayValues {
  readonly HouseID: string
  readonly Number: string
  readonly Name: string
  readonly IMEI: string
  readonly AddMethod: Method | ''
  readonly Platform: GatewayRecord['Platform'] | ''
  readonly DeviceType: GatewayRecord['DeviceType'] | ''
  readonly Remark: string
}

/** A new gateway. Its secret is handed on: it comes this once. */
export function GatewayForm({
  houseId,
  number = '',
  onAdded,
  onClose,
}: {
  /** The project that is chosen already. */
  houseId: number | null
  /** The number that has announced itself. */
  number?: string
  onAdded: (gateway: GatewayRecord, secret: string) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['gateway', 'app'])
  const projects = useProjectNames()
  const form = useForm(valuesOf(houseId, number), (values) => gatewayProblems(t, values))
  const propose = async () => {
    const proposed = await callWithToast(api.call(proposeNumbers, { body: {} }))
    const number = proposed ? proposed.reply.Numbers[0] : undefined
    if (number === undefined) return
    form.set('Number', number)
    form.set('AddMethod', 'auto')
  }
  const save = async (): Promise<string | null> => {
    const { HouseID, Number: number, IMEI, AddMethod, Platform, DeviceType, Name, Remark } = form.values
    if (!form.check() || AddMethod === '' || Platform === '' || DeviceType === '') return ''
    const body = {
      HouseID: Number(HouseID),
      Number: number.trim(),
      IMEI: IMEI.trim(),
      Name,
      Remark,
      AddMethod,
      Platform,
      DeviceType,
    }
    try {
      // What it touches is not waited for: the secret comes this once.
      const { Gateway, Secret } = await api.call(addGateway, { body })
      onAdded(Gateway, Secret)
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('add')} submit={t('add')} wide onSubmit={save} onClose={onClose}>
      <div className="form-grid">
        <div className="wide">
          <PickField
            label={t('project')}
            {...form.field('HouseID')}
            placeholder={t('app:pleaseSelect')}
            options={(projects.data?.items ?? []).map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
            required
          />
          <NoChoice query={projects} />
        </div>
        <div className="with-button">
          <TextField label={t('number')} {...form.field('Number')} maxLength={32} required />
          <button type="button" className="btn" onClick={propose}>
            {t('propose')}
          </button>
        </div>
        <TextField label={t('name')} {...form.field('Name')} maxLength={64} required />
        <TextField label="IMEI" hint={t('imeiHint')} inputMode="numeric" {...form.field('IMEI')} maxLength={15} required />
        <KindFields form={form} />
        <div className="wide">
          <TextField
            label={t('app:remark')}
            value={form.values.Remark}
            onChange={(value) => form.set('Remark', value)}
            maxLength={200}
          />
        </div>
      </div>
    </FormDialog>
  )
}

const valuesOf = (houseId: number | null, number: string): GatewayValues => ({
  HouseID: houseId === null ? '' : String(houseId),
  Number: number,
  Name: '',
  IMEI: '',
  AddMethod: 'manual',
  Platform: '',
  DeviceType: '',
  Remark: '',
})

/** What is wrong with each field of a new gateway. */
const gatewayProblems = (t: TFunction<['gateway', 'app']>, values: GatewayValues) => ({
  HouseID: values.HouseID === '' ? t('projectEmpty') : null,
  Number: values.Number.trim() === '' ? t('numberEmpty') : gatewayNumber.test(values.Number.trim()) ? null : t('numberWrong'),
  Name: values.Name.trim() === '' ? t('nameEmpty') : null,
  IMEI: values.IMEI.trim() === '' ? t('imeiEmpty') : isImei(values.IMEI.trim()) ? null : t('imeiWrong'),
  AddMethod: values.AddMethod === '' ? t('methodEmpty') : null,
  Platform: values.Platform === '' ? t('platformEmpty') : null,
  DeviceType: values.DeviceType === '' ? t('typeEmpty') : null,
})

/** How it was found, through what it connects, and what it is. */
function KindFields({ form }: { form: Form<GatewayValues> }) {
  const { t } = useTranslation(['gateway', 'app'])
  return (
    <>
      <SelectField
        label={t('method')}
        value={form.values.AddMethod}
        onChange={(value) => form.set('AddMethod', oneOf(methods, value))}
        error={form.errorOf('AddMethod')}
        options={methods.map((value) => ({ value, label: t(value) }))}
        required
      />
      <SelectField
        label={t('platform')}
        value={form.values.Platform}
        placeholder={t('app:pleaseSelect')}
        onChange={(value) => form.set('Platform', oneOf(dockingPlatforms, value))}
        error={form.errorOf('Platform')}
        options={dockingPlatforms.map((value) => ({ value, label: t(value) }))}
        required
      />
      <SelectField
        label={t('type')}
        value={form.values.DeviceType}
        placeholder={t('app:pleaseSelect')}
        onChange={(value) => form.set('DeviceType', oneOf(deviceTypes, value))}
        error={form.errorOf('DeviceType')}
        options={deviceTypes.map((value) => ({ value, label: value }))}
        required
      />
    </>
  )
}
