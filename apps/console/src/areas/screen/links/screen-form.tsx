import type { Reply, ScreenLink } from '@linewarden/contract'
import { addScreen, editScreen, groupNameOf, maxLinkProjects } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { change } from '../../../app/net/change.ts'
import { refuseForm } from '../../../app/net/refuse-form.ts'
import { useTree } from '../../../plant/queries.ts'
import { Segments, SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { localised } from '../../../ui/i18n.ts'
import type { Form } from '../../../ui/use-form.ts'
import { useForm } from '../../../ui/use-form.ts'
import type { ScreenValues } from './screen-values.ts'
import { isWithin, screenOf, screenStart } from './screen-values.ts'

interface Props {
  /** Null: a new one. */
  readonly link: ScreenLink | null
  readonly onMade: (made: Reply<typeof addScreen>) => void
  readonly onClose: () => void
}

/** What a link shows, and how. */
export function ScreenForm({ link, onMade, onClose }: Props) {
  const { t } = useTranslation(['screens', 'app'])
  const groups = useTree().data?.Groups ?? []
  const form = useForm<ScreenValues>(screenStart(link), (values) => ({
    Name: values.Name.trim() === '' ? t('nameMissing') : null,
    HouseIDs: values.of === 'projects' && values.HouseIDs.length === 0 ? t('scopeMissing') : null,
    CityID: values.of === 'group' && values.CityID === '' ? t('chooseGroup') : null,
    DwellS: isWithin(values.DwellS, 10, 300) ? null : t('dwellWrong'),
    MostSeats: isWithin(values.MostSeats, 1, 50) ? null : t('seatsWrong'),
  }))
  const save = async () => {
    if (!form.check()) return ''
    const body = screenOf(form.values, groups, link)
    try {
      if (link) await change(editScreen, { body: { ...body, ScreenID: link.ScreenID, Version: link.Version } })
      else onMade(await change(addScreen, { body }))
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const { values } = form
  const option = <V extends string>(value: V, label: string) => ({ value, label })
  return (
    <FormDialog
      title={link ? t('editTitle', { name: link.Name }) : t('add')}
      submit={t(link ? 'app:save' : 'create')}
      wide
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label={t('name')} maxLength={60} required autoFocus {...form.field('Name')} />
      <Segments
        label={t('of')}
        value={values.of}
        options={[option('projects', t('projects')), option('group', t('group'))]}
        onChange={(of) => form.set('of', of)}
      />
      {values.of === 'group' ? (
        <SelectField
          label={t('group')}
          placeholder={t('chooseGroup')}
          hint={t('groupHint')}
          options={groups.map((group) => option(String(group.CityID), localised(groupNameOf(group))))}
          {...form.field('CityID')}
        />
      ) : (
        <Projects form={form} />
      )}
      <div className="form-grid">
        <SelectField
          label={t('pages')}
          options={(['overview', 'plants', ...(values.pages === 'kept' ? (['kept'] as const) : [])] as const).map((each) =>
            option(each, t(`pagesOf.${each}`)),
          )}
          {...form.field('pages')}
          onChange={(value) => form.set('pages', value === 'plants' || value === 'kept' ? value : 'overview')}
        />
        <TextField label={t('dwell')} inputMode="numeric" maxLength={3} unit={t('seconds')} required {...form.field('DwellS')} />
        <SelectField
          label={t('language')}
          options={[option('CN', t('languages.CN')), option('EN', t('languages.EN'))]}
          {...form.field('Language')}
          onChange={(value) => form.set('Language', value === 'EN' ? 'EN' : 'CN')}
        />
        <SelectField
          label={t('theme')}
          options={[option('dark', t('themes.dark')), option('light', t('themes.light'))]}
          {...form.field('Theme')}
          onChange={(value) => form.set('Theme', value === 'light' ? 'light' : 'dark')}
        />
        <TextField label={t('mostSeats')} inputMode="numeric" maxLength={2} required {...form.field('MostSeats')} />
      </div>
      <label className="check-line">
        <input
          type="checkbox"
          checked={values.NamesOfPeople}
          onChange={({ currentTarget: { checked } }) => form.set('NamesOfPeople', checked)}
        />
        {t('names')}
      </label>
    </FormDialog>
  )
}

function Projects({ form }: { form: Form<ScreenValues> }) {
  const { t } = useTranslation('screens')
  const houses = (useTree().data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const chosen = form.values.HouseIDs
  const wrong = form.errorOf('HouseIDs')
  const choose = (id: number, isChosen: boolean) =>
    form.set('HouseIDs', isChosen ? [...chosen, id].slice(0, maxLinkProjects) : chosen.filter((each) => each !== id))
  return (
    <div className={wrong ? 'form-field wrong' : 'form-field'}>
      <fieldset className="screen-projects" aria-label={t('projects')}>
        {houses.map(({ HouseID, Name }) => (
          <label key={HouseID} className="check-line">
            <input
              type="checkbox"
              checked={chosen.includes(HouseID)}
              onChange={({ currentTarget: { checked } }) => choose(HouseID, checked)}
            />
            {Name}
          </label>
        ))}
      </fieldset>
      {wrong && <small role="alert">{wrong}</small>}
    </div>
  )
}
