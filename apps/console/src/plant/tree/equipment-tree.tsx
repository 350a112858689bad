import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { useSelection } from '../selection.ts'
import { SearchHits } from './search-hits.tsx'
import { TreeView } from './tree-view.tsx'
import './equipment-tree.css'

/** Group, project, gateway, device and line with what is abnormal below each; a search finds gateways and lines wherever they are. */
export function EquipmentTree({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation('monitor')
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const [selection, select] = useSelection()
  const choose: typeof select = (to) => {
    select(to)
    onChoose()
  }
  return (
    <section className="tree" aria-label={t('tree')}>
      <label className="field">
        <Icon name="search" />
        <input
          type="search"
          maxLength={64}
          placeholder={t('search')}
          aria-label={t('search')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setText('')
          }}
        />
      </label>
      {wanted === '' ? <TreeView selection={selection} choose={choose} /> : <SearchHits text={wanted} choose={choose} />}
    </section>
  )
}
