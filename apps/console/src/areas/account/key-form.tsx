import type { addKey, Reply } from '@linewarden/contract'
import { addKey as add, lookupProjects, maxKeyProjects } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { Segments, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'

export type MadeKey = Reply<typeof addKey>

const days = ['30', '90', '180', '365', '730'] as const

/** A new key: for which system, what it sees, and how long; it only reads unless said otherwise. */
export function KeyForm({ onMade, onClose }: { onMade: (made: MadeKey) => void; onClose: () => void }) {
  const { t } = useTranslation(['keys', 'app'])
  const projects = useCall(lookupProjects, { query: {} })
  const form = useForm(
    { Name: '', Projects: [] as readonly number[], Days: '90', Rights: 'reads' as 'reads' | 'operates' },
    ({ Name, Projects }) => ({
      Name: Name.trim() === '' ? t('app:nameMissing') : null,
      Projects: Projects.length === 0 ? t('noProjects') : null,
    }),
  )
  const { values } = form
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    const Operates = values.Rights === 'operates'
    const body = { Name: values.Name.trim(), Projects: [...values.Projects], Days: Number(values.Days), Operates }
    try {
      onMade(await change(add, { body }))
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const toggle = (id: number, isChosen: boolean) =>
    form.set('Projects', isChosen ? [...values.Projects, id] : values.Projects.filter((each) => each !== id))
  return (
    <FormDialog title={t('add')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <TextField label={t('name')} hint={t('nameHint')} {...form.field('Name')} maxLength={64} required autoFocus />
      <SelectField
        label={t('days')}
        value={values.Days}
        onChange={(value) => form.set('Days', value)}
        options={days.map((each) => ({ value: each, label: t('dayCount', { days: each }) }))}
        required
      />
      <fieldset className="key-projects">
        <legend>{t('projects')}</legend>
        <Unloaded query={projects} />
        {projects.data?.items.map(({ HouseID, Name }) => (
          <label key={HouseID}>
            <input
              type="checkbox"
              checked={values.Projects.includes(HouseID)}
              disabled={values.Projects.length >= maxKeyProjects && !values.Projects.includes(HouseID)}
              onChange={(event) => toggle(HouseID, event.target.checked)}
            />
            {Name}
          </label>
        ))}
        {form.errorOf('Projects') && (
          <p className="error" role="alert">
            {form.errorOf('Projects')}
          </p>
        )}
      </fieldset>
      <Segments
        label={t('rights')}
        value={values.Rights}
        onChange={(value) => form.set('Rights', value)}
        options={[
          { value: 'reads', label: t('reads') },
          { value: 'operates', label: t('operates') },
        ]}
      />
      {values.Rights === 'operates' && <p className="mute">{t('operatesHint')}</p>}
    </FormDialog>
  )
}
