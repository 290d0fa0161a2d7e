import { isJsonObject, textOf } from '../json.ts'
import { type BlockReader, firstId, mediaPart, modalityOf, textPart, toolCallPart } from './block.ts'

/** The content blocks of OpenAI's chat completions and responses; a tool call of theirs that stands among the blocks, too. */
export const readOpenAiBlock: BlockReader = (block) => {
  switch (block.type) {
    case 'input_text':
    case 'output_text':
      return textPart(block.text)
    case 'refusal':
      return textPart(block.refusal ?? block.content)
    case 'function': {
      const called = block.function
      return isJsonObject(called) ? [toolCallPart(firstId(block.id), called.name, called.arguments)] : undefined
    }
    case 'image_url': {
      const image = block.image_url
      return [mediaPart('image', '', { uri: isJsonObject(image) ? image.url : image })]
    }
    case 'input_image':
      return [mediaPart('image', '', { uri: block.image_url ?? block.file_id })]
    case 'input_audio': {
      const audio = isJsonObject(block.input_audio) ? block.input_audio : block
      const format = textOf(audio.format)
      return [mediaPart('audio', format === '' ? '' : `audio/${format}`, { data: audio.data })]
    }
    case 'file':
    case 'input_file': {
      const file = isJsonObject(block.file) ? block.file : block
      if (typeof file.file_data === 'string') return [mediaPart(modalityOf(undefined, ''), '', { uri: file.file_data })]
      return [mediaPart('file', '', { uri: file.file_url ?? file.file_id })]
    }
    default:
      return undefined
  }
}
