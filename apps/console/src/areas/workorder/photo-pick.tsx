import { Icon } from '../../ui/icon.tsx'
import '../../ui/file-button.css'

/** Takes photos or chooses them: a phone asks whether by its camera or from its pictures. */
export function PhotoPick({
  label,
  disabled = false,
  onFiles,
}: {
  label: string
  disabled?: boolean
  onFiles: (files: readonly File[]) => void
}) {
  return (
    <label className={disabled ? 'file-button disabled' : 'file-button'}>
      <span className="btn">
        <Icon name="plus" />
        {label}
      </span>
      <input
        type="file"
        className="hidden-visually"
        accept="image/*"
        multiple
        disabled={disabled}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same file may be chosen once more.
          target.value = ''
        }}
      />
    </label>
  )
}
