import type { HandReading, Project } from '@linewarden/contract'
import { insertHandReading, undoHandReading } from '@linewarden/contract'
import { maxRegisterKwh } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { projectMomentIn } from '../../plant/project-moment.ts'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { figureIn } from './meter-values.ts'

interface ReadingValues {
  readonly LineID: string
  readonly At: string
  readonly Kwh: string
  readonly Reason: string
}

const empty: ReadingValues = { LineID: '', At: '', Kwh: '', Reason: '' }
const kwhIn = (text: string) => figureIn(text, 6, maxRegisterKwh)

/** What a register showed at the cabinet, and when. */
export function HandReadingDialog({ house, onClose }: { house: Project; onClose: () => void }) {
  const { t } = useTranslation(['energyFixes', 'app'])
  const { HouseID, TimeZone } = house
  const form = useForm<ReadingValues>(empty, ({ LineID, At, Kwh, Reason }) => {
    const kwh = kwhIn(Kwh)
    return {
      LineID: LineID === '' ? t('lineMissing') : null,
      At: projectMomentIn(At, TimeZone) === null ? t('timeWrong') : null,
      Kwh: kwh === null || Number.isNaN(kwh) ? t('figureWrong') : null,
      Reason: Reason.trim() === '' ? t('reasonMissing') : null,
    }
  })
  const { projects, lacking } = useProjects([HouseID])
  const lines = useLineRefs(projects).filter(({ family }) => family?.level !== 'device')
  const save = async () => {
    if (!form.check()) return ''
    const { LineID, At, Kwh, Reason } = form.values
    const read = { At: projectMomentIn(At, TimeZone) ?? 0, Kwh: kwhIn(Kwh) ?? 0 }
    return change(insertHandReading, { body: { HouseID, LineID: Number(LineID), ...read, Reason: Reason.trim() } }).then(
      () => null,
      (error: unknown) => refuseForm(form, error),
    )
  }
  return (
    <FormDialog title={t('addReading')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      {lacking && <Unloaded query={lacking} />}
      <PickField
        label={t('line')}
        required
        placeholder={t('pickLine')}
        options={lines.map(({ line, gateway }) => ({
          value: String(line.LineID),
          label: line.LineName,
          note: gateway.GatewayName,
        }))}
        {...form.field('LineID')}
      />
      <div className="form-grid">
        <MomentField kind="minute" label={t('readAt')} required {...form.field('At')} />
        <TextField
          label={t('shown')}
          hint={t('shownHint')}
          unit="kWh"
          required
          inputMode="decimal"
          maxLength={16}
          {...form.field('Kwh')}
        />
      </div>
      <TextArea label={t('reason')} required rows={2} maxLength={200} {...form.field('Reason')} />
    </FormDialog>
  )
}

export function UndoReadingDialog({ house, reading, onClose }: { house: Project; reading: HandReading; onClose: () => void }) {
  const { t } = useTranslation('energyFixes')
  const form = useForm<{ readonly Reason: string }>({ Reason: '' }, ({ Reason }) => ({
    Reason: Reason.trim() === '' ? t('reasonMissing') : null,
  }))
  const undo = async () => {
    if (!form.check()) return ''
    const { ReadingID, Version } = reading
    return change(undoHandReading, {
      body: { HouseID: house.HouseID, ReadingID, Version, Reason: form.values.Reason.trim() },
    }).then(
      () => null,
      (error: unknown) => refuseForm(form, error),
    )
  }
  return (
    <FormDialog title={t('undoReading')} submit={t('undo')} onSubmit={undo} onClose={onClose}>
      <p>{t('undoReadingSure', { name: reading.Name })}</p>
      <TextArea label={t('reason')} required rows={2} maxLength={200} {...form.field('Reason')} />
    </FormDialog>
  )
}
