export { WallRoot as Wall } from '../areas/screen/wall-root.tsx'
