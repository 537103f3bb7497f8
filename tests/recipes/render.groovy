// render.groovy CASES: what Nextflow would run. CASES is JSON: a list of {file, section, variables}; prints a list of texts. The section
// ("script" or "stub") of a process is evaluated with the variables as what Nextflow gives it; "outputs" are the paths of its outputs.
import groovy.json.JsonOutput
import groovy.json.JsonSlurper

/** Several files: their names, divided by blanks. Not a List, as in some versions of Nextflow. */
class Paths {
    List<String> names
    String toString() { names.join(' ') }
}

def sections(String text) {
    def found = [:].withDefault { '' }
    def section = ''
    text.eachLine { line ->
        def name = (line =~ /^    (input|output|when|script|stub):$/)
        if (name) {
            section = name[0][1]
        } else if (line != '}') {
            found[section] += line + '\n'
        }
    }
    found
}

println JsonOutput.toJson(new JsonSlurper().parse(new File(args[0])).collect { c ->
    def parts = sections(new File(c.file).text)
    def binding = new Binding(c.variables.collectEntries { name, value -> [name, value instanceof List ? new Paths(names: value) : value] })
    binding.error = { message -> throw new IllegalArgumentException(message) }
    def shell = new GroovyShell(binding)
    def paths = (parts.output =~ /path\((["'].*?["'])\)(.*)/).collect { [path: it[1], optional: it[2].contains('optional: true')] }
    // Names that Nextflow lets outputs use are those without def.
    def text = shell.evaluate(parts[c.section]).toString()
    [text: text, outputs: paths.collect { [path: shell.evaluate(it.path).toString(), optional: it.optional] }]
})
