import { monitor } from '../areas/monitor/texts.ts'
import { addTexts } from '../ui/i18n.ts'

addTexts({ monitor })

export { LastPicture } from '../areas/screen/last-picture.tsx'
export { WallRoot as Wall } from '../areas/screen/wall-root.tsx'
