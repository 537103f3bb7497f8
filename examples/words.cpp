// words.cpp - makes a filter of some words, looks words up, saves it and loads it again. Build it against an installed tamis:
//     c++ -std=c++17 words.cpp -o words $(pkg-config --cflags --libs tamis)
#include <iostream>
#include <tamis/tamis.hpp>

int main(int argc, char **argv)
{
    try {
        const std::vector<std::string> list = {"sieve", "drum", "cloth"};
        const char *const asked[] = {"drum", "clay", "cloth"};
        tamis::context ctx;
        tamis::filter words = tamis::filter::of(ctx, tamis::keys(list), 1e-6);

        if (argc > 1) {
            words.save(ctx, argv[1]);
            words = tamis::filter::load(ctx, argv[1]);
        }
        std::vector<std::uint8_t> hit = words.query(ctx, tamis::keys(asked));
        std::cout << "tamis " << tms_version();
        for (std::size_t i = 0; i < hit.size(); i++)
            std::cout << (i == 0 ? ": " : ", ") << asked[i] << ' ' << int(hit[i]);
        std::cout << '\n';
        return words.has("drum") && !words.has("clay") ? 0 : 1;
    } catch (const tamis::error &e) {
        std::cerr << "words: " << e.what() << '\n';
        return 1;
    }
}
