import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SelectField, TextField } from '../../ui/fields.tsx'
import type { Form } from '../../ui/use-form.ts'
import { loadDivisions } from './divisions.ts'

export interface Place {
  Province: string
  City: string
  District: string
}

const elsewhere = '\u0000'
const options = (names: Iterable<string>) => [...names].map((name) => ({ value: name, label: name }))

/** Province, city and district: chosen step by step in China, written by hand elsewhere. */
export function PlaceFields<T extends Place>({ form }: { form: Form<T> }) {
  const { t } = useTranslation(['project', 'app'])
  const { data: divisions } = useQuery({ queryKey: ['divisions'], queryFn: loadDivisions, staleTime: Number.POSITIVE_INFINITY })
  const [byHand, setByHand] = useState(false)
  const { Province, City, District } = form.values
  const set = (place: Place) => {
    for (const name of ['Province', 'City', 'District'] as const)
      if (form.values[name] !== place[name]) form.set(name, place[name] as T[typeof name])
  }
  const cities = divisions?.get(Province)
  const districts = cities?.get(City)
  const known = Province === '' || (districts?.includes(District) ?? false) || (cities !== undefined && District === '')
  if (byHand || !divisions || !known) {
    const field = (name: keyof Place) => <TextField key={name} label={t(name)} {...form.field(name)} maxLength={32} required />
    return (
      <div className="thirds wide">
        {(['Province', 'City', 'District'] as const).map(field)}
        {divisions && (
          <button
            type="button"
            className="btn small"
            onClick={() => {
              setByHand(false)
              set({ Province: '', City: '', District: '' })
            }}
          >
            {t('inChina')}
          </button>
        )}
      </div>
    )
  }
  return (
    <div className="thirds wide">
      <SelectField
        label={t('Province')}
        value={Province}
        placeholder={t('app:pleaseSelect')}
        options={[...options(divisions.keys()), { value: elsewhere, label: t('elsewhere') }]}
        onChange={(value) => {
          setByHand(value === elsewhere)
          set({ Province: value === elsewhere ? '' : value, City: '', District: '' })
        }}
        error={form.errorOf('Province')}
        required
      />
      <SelectField
        label={t('City')}
        value={City}
        placeholder={t('app:pleaseSelect')}
        disabled={!cities}
        options={options(cities?.keys() ?? [])}
        onChange={(value) => set({ Province, City: value, District: '' })}
        error={form.errorOf('City')}
        required
      />
      <SelectField
        label={t('District')}
        value={District}
        placeholder={t('app:pleaseSelect')}
        disabled={!districts}
        options={options(districts ?? [])}
        onChange={(value) => set({ Province, City, District: value })}
        error={form.errorOf('District')}
        required
      />
    </div>
  )
}
